package io.millrace.schemas.program;

/** The program should not start; the message is shown to the user. */
public class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Exit status of a program whose command line is wrong. */
  private static final int WRONG = 2;

  public UsageException(String message) {
    super(message);
  }

  /**
   * Prints the message for the user.
   *
   * @return the exit status of the program
   */
  public int tell() {
    System.err.println(getMessage());
    return WRONG;
  }
}
