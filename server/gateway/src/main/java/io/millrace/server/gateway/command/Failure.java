package io.millrace.server.gateway.command;

/** Ends a command: what goes to standard error, and the exit status. */
public final class Failure extends Exception {
  private static final long serialVersionUID = 1L;
  private final String text;
  private final int status;

  /**
   * @param text complete lines, or nothing
   * @param status exit status 0 to 255
   */
  public Failure(String text, int status) {
    super(text);
    this.text = text;
    this.status = status;
  }

  String text() {
    return text;
  }

  int status() {
    return status;
  }

  /** A PBS error number as exit status. */
  public static int status(int code) {
    return code & 0xff;
  }
}
