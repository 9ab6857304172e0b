package io.millrace.server.gateway.link;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts unanswered commands per client and overall, and their bytes per user and overall; a sender
 * waits until there is room.
 */
final class UnansweredWindow {
  private final LinkSettings.UnansweredLimits limits;
  private final Map<String, Integer> perClient = new HashMap<>();
  private final Map<String, Long> bytesOfUser = new HashMap<>();
  private int total;
  private long totalBytes;

  UnansweredWindow(LinkSettings.UnansweredLimits limits) {
    this.limits = limits;
  }

  /**
   * Waits for room for a command.
   *
   * @param client "user", or "user/" and which of the user's clients it is
   * @return false when there was none all the while
   */
  synchronized boolean enter(String client, long bytes, Duration patience)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!fits(client, bytes)) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    total++;
    totalBytes += bytes;
    perClient.merge(client, 1, Integer::sum);
    bytesOfUser.merge(user(client), bytes, Long::sum);
    return true;
  }

  /** A command larger than all the room may go alone. */
  private boolean fits(String client, long bytes) {
    long ofUser = bytesOfUser.getOrDefault(user(client), 0L);
    return total < limits.overall()
        && perClient.getOrDefault(client, 0) < limits.perClient()
        && (ofUser == 0 || ofUser + bytes <= limits.bytes() / 2)
        && (totalBytes == 0 || totalBytes + bytes <= limits.bytes());
  }

  synchronized void leave(String client, long bytes) {
    total--;
    totalBytes -= bytes;
    perClient.computeIfPresent(client, (name, count) -> count == 1 ? null : count - 1);
    bytesOfUser.computeIfPresent(
        user(client), (name, held) -> held == bytes ? null : Long.valueOf(held - bytes));
    notifyAll();
  }

  private static String user(String client) {
    int slash = client.indexOf('/');
    return slash < 0 ? client : client.substring(0, slash);
  }

  synchronized int total() {
    return total;
  }

  synchronized long totalBytes() {
    return totalBytes;
  }
}
