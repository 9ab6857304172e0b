package io.millrace.ops.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Settings with which a client of Kafka gets an answer, or gives up, within seconds. */
public final class BriefClient {

  private static final String ALL_MS = "8000";
  private static final String REQUEST_MS = "4000";
  private static final String CONNECT_MS = "3000";

  private BriefClient() {}

  /** The same settings otherwise; one call may take this long, with as many tries as fit. */
  public static Map<String, Object> of(Map<String, Object> client, Duration all) {
    Map<String, Object> brief = of(client);
    brief.put("default.api.timeout.ms", Long.toString(all.toMillis()));
    return brief;
  }

  /** The same settings otherwise. */
  public static Map<String, Object> of(Map<String, Object> client) {
    Map<String, Object> brief = new HashMap<>(client);
    brief.put("default.api.timeout.ms", ALL_MS);
    brief.put("request.timeout.ms", REQUEST_MS);
    brief.put("socket.connection.setup.timeout.ms", CONNECT_MS);
    brief.put("socket.connection.setup.timeout.max.ms", CONNECT_MS);
    return brief;
  }
}
