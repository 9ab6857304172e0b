package io.millrace.server.http;

import java.util.HashMap;
import java.util.Map;

/**
 * An answer.
 *
 * @param status HTTP's status
 * @param type media type of the body
 * @param headers further headers
 * @param body what it says
 * @param owner user whose part of the memory it takes until it is sent; empty when it is nobody's
 */
public record HttpAnswer(
    int status, String type, Map<String, String> headers, Body body, String owner) {

  /** Three ways to say something. */
  public sealed interface Body {}

  /** All of it is there. */
  public record WholeBody(byte[] bytes) implements Body {}

  /** It is written by the thread that carries out the request. */
  public record StreamedBody(AnswerWriter writer) implements Body {}

  /** It has no end of its own: the connection belongs to it from now on. */
  public record OpenBody(AnswerSource source) implements Body {}

  /** One that is there. */
  public static HttpAnswer whole(int status, String type, byte[] bytes) {
    return new HttpAnswer(status, type, Map.of(), new WholeBody(bytes), "");
  }

  /** One that is written, with status 200. */
  public static HttpAnswer written(String type, AnswerWriter writer) {
    return new HttpAnswer(200, type, Map.of(), new StreamedBody(writer), "");
  }

  /** One that stays open, with status 200. */
  public static HttpAnswer open(String type, AnswerSource source) {
    return new HttpAnswer(200, type, Map.of(), new OpenBody(source), "");
  }

  /** With one header more. */
  public HttpAnswer with(String name, String value) {
    Map<String, String> all = new HashMap<>(headers);
    all.put(name, value);
    return new HttpAnswer(status, type, Map.copyOf(all), body, owner);
  }

  HttpAnswer with(WholeBody whole) {
    return new HttpAnswer(status, type, headers, whole, owner);
  }

  /** For this user. */
  public HttpAnswer of(String user) {
    return new HttpAnswer(status, type, headers, body, user);
  }
}
