package io.millrace.server.web.door;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request as it came.
 *
 * @param peer address of the other end
 * @param method for example POST
 * @param target path and query
 * @param headers gives all values of a header
 * @param marks headers that every answer to it has
 * @param body empty until it was read
 */
public record Incoming(
    String peer,
    String method,
    String target,
    Headers headers,
    Map<String, String> marks,
    byte[] body) {

  /** Values of headers by their names in any case. */
  public interface Headers {
    List<String> all(String name);
  }

  /** The only value of a header; empty when there is none. */
  public Optional<String> header(String name) {
    return headers.all(name).stream().findFirst();
  }

  Incoming with(byte[] whole) {
    return new Incoming(peer, method, target, headers, marks, whole);
  }

  Incoming marked(Map<String, String> now) {
    return new Incoming(peer, method, target, headers, now, body);
  }
}
