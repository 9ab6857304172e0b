package io.millrace.reservations.classad.text;

/** A text that is no ClassAd: where, and why, in one line. */
public final class ClassAdRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;
  private final String reason;

  /**
   * @param line from 1
   * @param column in characters, from 1
   */
  public ClassAdRefused(int line, int column, String reason) {
    super("line " + line + ", column " + column + ": " + reason, null, false, false);
    this.line = line;
    this.column = column;
    this.reason = reason;
  }

  public int line() {
    return line;
  }

  public int column() {
    return column;
  }

  public String reason() {
    return reason;
  }
}
