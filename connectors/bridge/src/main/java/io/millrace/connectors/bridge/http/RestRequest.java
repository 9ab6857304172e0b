package io.millrace.connectors.bridge.http;

import java.util.Map;
import java.util.Optional;

/**
 * A request to a server.
 *
 * @param path behind the server's address
 * @param headers with proofs of who asks, so that it is not shown whole
 */
public record RestRequest(
    String method, String path, Map<String, String> headers, Optional<String> body) {

  @Override
  public String toString() {
    return method + " " + path;
  }
}
