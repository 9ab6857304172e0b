package io.millrace.ops.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Server-sent events as they arrive. */
final class WebEvents implements AutoCloseable {

  private static final long PATIENCE_S = 60;

  /** One event. */
  record Event(String id, String name, JsonNode data) {}

  private final InputStream in;
  private final BlockingQueue<Event> heard = new LinkedBlockingQueue<>();

  /** Events that arrived while another one was awaited. */
  private final List<Event> passedOver = new ArrayList<>();

  private final ObjectMapper json = new ObjectMapper();

  WebEvents(InputStream in) {
    this.in = in;
    Thread thread = new Thread(this::read, "web-events-heard");
    thread.setDaemon(true);
    thread.start();
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      String id = "";
      String name = "";
      String line = lines.readLine();
      while (line != null) {
        if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("data: ")) {
          heard.add(new Event(id, name, json.readTree(line.substring(6))));
        }
        line = lines.readLine();
      }
    } catch (IOException e) {
      // Closed by the test.
    }
  }

  /**
   * Waits for an event of this name with matching data and removes it; others are kept for later
   * calls.
   */
  Event await(String name, Predicate<JsonNode> wanted) throws InterruptedException {
    for (Event event : passedOver) {
      if (event.name().equals(name) && wanted.test(event.data())) {
        passedOver.remove(event);
        return event;
      }
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (true) {
      Event event = heard.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (event == null) {
        throw new AssertionError("no event " + name + " as wanted within " + PATIENCE_S + " s");
      }
      if (event.name().equals(name) && wanted.test(event.data())) {
        return event;
      }
      passedOver.add(event);
    }
  }

  /** How many matching events come before one of this name. */
  int before(String name, Predicate<JsonNode> counted) throws InterruptedException {
    await(name, it -> true);
    return (int) passedOver.stream().filter(it -> counted.test(it.data())).count();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
