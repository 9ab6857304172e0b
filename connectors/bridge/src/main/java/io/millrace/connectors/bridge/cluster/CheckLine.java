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

  /**
   * The same of a reason that may bring its cure behind a semicolon.
   *
   * @param cure where it brings none
   */
  public static CheckLine wrong(String what, String why, String cure) {
    int own = why.indexOf("; ");
    return own < 0
        ? wrong(what + why, cure)
        : wrong(what + why.substring(0, own), why.substring(own + 2));
  }

  /** The line as it is printed. */
  public String line() {
    return good ? "ok: " + text : "wrong: " + text + "; " + cure;
  }
}
