package io.millrace.schemas.program;

/** A program is not to begin; the message is what the user is shown. */
public class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Exit status of a program whose command line is wrong. */
  private static final int WRONG = 2;

  public UsageException(String message) {
    super(message);
  }

  /**
   * Shows the user the message.
   *
   * @return the exit status of the program
   */
  public int tell() {
    System.err.println(getMessage());
    return WRONG;
  }
}
