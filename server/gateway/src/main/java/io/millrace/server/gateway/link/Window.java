package io.millrace.server.gateway.link;

import java.util.HashMap;
import java.util.Map;

/** Counts unanswered commands per client and overall; a sender waits until there is room. */
final class Window {

  private final LinkSettings.Limits limits;
  private final Map<String, Integer> perClient = new HashMap<>();
  private int total;

  Window(LinkSettings.Limits limits) {
    this.limits = limits;
  }

  synchronized void enter(String client) throws InterruptedException {
    while (total >= limits.overall() || perClient.getOrDefault(client, 0) >= limits.perClient()) {
      wait();
    }
    total++;
    perClient.merge(client, 1, Integer::sum);
  }

  synchronized void leave(String client) {
    total--;
    perClient.computeIfPresent(client, (name, count) -> count == 1 ? null : count - 1);
    notifyAll();
  }

  synchronized int total() {
    return total;
  }
}
