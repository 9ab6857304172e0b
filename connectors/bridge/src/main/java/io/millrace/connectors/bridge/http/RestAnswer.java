package io.millrace.connectors.bridge.http;

import java.nio.charset.StandardCharsets;

/**
 * What is known of a request.
 *
 * @param ending how far it came
 * @param status of HTTP; of no meaning unless it was answered
 * @param body of the answer, in UTF-8; else why there is none, in a line or nothing
 */
public record RestAnswer(RestEnding ending, int status, String body) {

  /** How far a request came. */
  public enum RestEnding {
    /** The answer came, all of it. */
    ANSWERED,
    /** It never left, as nobody takes it. */
    NOT_REACHED,
    /** It never left, as the server does not prove that it is the one. */
    NOT_PROVEN,
    /** The answer did not come, or not to its end, within the time limit. */
    TIMED_OUT,
    /** It is more than the bound. */
    TOO_LONG,
    /** It broke off. */
    BROKEN_OFF
  }

  static RestAnswer of(int status, byte[] body) {
    return new RestAnswer(RestEnding.ANSWERED, status, new String(body, StandardCharsets.UTF_8));
  }

  static RestAnswer none(RestEnding ending, String why) {
    return new RestAnswer(ending, 0, why);
  }
}
