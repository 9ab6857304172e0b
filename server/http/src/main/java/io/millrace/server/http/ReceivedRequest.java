package io.millrace.server.http;

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
public record ReceivedRequest(
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

  /** The first value of a header; empty when there is none. */
  public Optional<String> header(String name) {
    return headers.all(name).stream().findFirst();
  }

  ReceivedRequest with(byte[] whole) {
    return new ReceivedRequest(peer, method, target, headers, marks, whole);
  }

  ReceivedRequest marked(Map<String, String> now) {
    return new ReceivedRequest(peer, method, target, headers, now, body);
  }
}
