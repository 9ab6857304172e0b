package io.millrace.server.web.route;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An answer.
 *
 * @param status HTTP's status
 * @param type of the body
 * @param body whole, or the beginning when there is a source
 * @param headers further headers
 * @param source gives the rest as it comes; empty for an answer that is whole
 */
public record Answer(
    int status, String type, byte[] body, Map<String, String> headers, Optional<Source> source) {

  static final String JSON = "application/json";

  /** A whole one. */
  public static Answer whole(int status, String type, byte[] body) {
    return new Answer(status, type, body, Map.of(), Optional.empty());
  }

  static Answer json(int status, JsonNode body) {
    return whole(status, JSON, JsonText.bytes(body));
  }

  static Answer json(byte[] body) {
    return whole(200, JSON, body);
  }

  static Answer of(String type, Source source) {
    return new Answer(200, type, new byte[0], Map.of(), Optional.of(source));
  }

  /** With one header more. */
  public Answer with(String name, String value) {
    Map<String, String> all = new HashMap<>(headers);
    all.put(name, value);
    return new Answer(status, type, body, Map.copyOf(all), source);
  }
}
