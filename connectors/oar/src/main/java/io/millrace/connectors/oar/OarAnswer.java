package io.millrace.connectors.oar;

import java.time.Duration;
import java.util.Optional;

/**
 * What is known of a request that was sent.
 *
 * @param ending how far it came
 * @param status of HTTP; of no meaning unless the answer is whole
 * @param body of the answer, as far as it came; else the reason
 * @param took from start to end
 */
public record OarAnswer(ExchangeEnding ending, int status, String body, Duration took) {

  private static final int LINE_MOST = 300;

  /** How far a request came. */
  public enum ExchangeEnding {
    /** The answer came, all of it. */
    ANSWERED,
    /** It did not come, or not to its end, within the time limit. */
    TIMED_OUT,
    /** It broke off, or was more than the bound. */
    BROKEN_OFF,
    /**
     * The password of the account in whose name it was is not known here, or was refused: nothing
     * was carried out, and of others this says nothing.
     */
    ACCOUNT_REFUSED,
    /** The request never left: nothing was carried out. */
    NOT_SENT
  }

  public boolean isWhole() {
    return ending == ExchangeEnding.ANSWERED;
  }

  /** Whole, and the server says that it went well. */
  public boolean isGood() {
    return isWhole() && status >= 200 && status < 300;
  }

  /**
   * Whether nothing can have been carried out: it never left, or the server has refused to look at
   * it, for the name, the password or the address.
   */
  public boolean wasNotTaken() {
    return ending == ExchangeEnding.NOT_SENT
        || ending == ExchangeEnding.ACCOUNT_REFUSED
        || isWhole() && (status == 401 || status == 403 || status == 404 || status == 405);
  }

  /** One line on what went wrong. */
  public String trouble() {
    return switch (ending) {
      case TIMED_OUT -> "no answer within " + took.toSeconds() + " s";
      case BROKEN_OFF, ACCOUNT_REFUSED, NOT_SENT -> line(body);
      case ANSWERED -> status(OarJson.message(body).map(OarAnswer::line));
    };
  }

  private String status(Optional<String> said) {
    String cause =
        switch (status) {
          case 401 -> "the name or the password is refused; see 'credentials'";
          case 403 -> "its web server lets nobody in from here; see its 'Require'";
          case 404, 405 -> "there is no API of OAR at this address; see 'url'";
          case 502, 503, 504 -> "its web server got no answer from OAR";
          default -> "its web server says no more";
        };
    return "status " + status + ": " + said.filter(it -> !it.isEmpty()).orElse(cause);
  }

  /** The first line of a text, without what could break a line. */
  static String line(String text) {
    String line = text.strip().lines().findFirst().orElse("").strip();
    StringBuilder clean = new StringBuilder();
    line.codePoints()
        .limit(LINE_MOST)
        .map(it -> Character.isISOControl(it) ? '?' : it)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }
}
