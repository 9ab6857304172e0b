package io.millrace.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a request is for.
 *
 * @param path as it came, parts not decoded
 * @param query its values as they came, one after the other
 */
public record RequestTarget(String path, List<QueryValue> query) {

  /** A value of a query; empty when there is only a name. */
  public record QueryValue(String name, String value) {}

  /**
   * @throws IllegalArgumentException when the query cannot be decoded
   */
  public static RequestTarget of(String target) {
    int question = target.indexOf('?');
    return question < 0
        ? new RequestTarget(target, List.of())
        : new RequestTarget(target.substring(0, question), values(target.substring(question + 1)));
  }

  private static List<QueryValue> values(String query) {
    List<QueryValue> values = new ArrayList<>();
    for (String pair : query.split("&")) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        values.add(
            equals < 0
                ? new QueryValue(decoded(pair), "")
                : new QueryValue(
                    decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1))));
      }
    }
    return values;
  }

  /** In a path a plus is a plus. */
  static String decodedPath(String part) {
    return decoded(part.replace("+", "%2B"));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
