package io.millrace.connectors.bridge.cluster;

/**
 * What a check has found.
 *
 * @param good whether it is as it must be
 * @param text what is there, or what is wrong and why
 * @param cure what would help; empty when all is well
 */
public record CheckLine(boolean good, String text, String cure) {

  public static CheckLine good(String text) {
    return new CheckLine(true, text, "");
  }

  public static CheckLine wrong(String text, String cure) {
    return new CheckLine(false, text, cure);
  }

  /** The line as it is printed. */
  public String line() {
    return good ? "ok: " + text : "wrong: " + text + "; " + cure;
  }
}
