package io.millrace.server.gateway.command;

/** Ends a command: what goes to standard error, and the exit status. */
public final class Failure extends Exception {
  private static final long serialVersionUID = 1L;

  /** Connection refused, which is what PBS's clients say of a server that is down. */
  static final int CONNECTION_REFUSED = 111;

  /** No answer in time. */
  static final int TIMED_OUT = 110;

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

  public String text() {
    return text;
  }

  public int status() {
    return status;
  }
}
