package io.millrace.ops.launcher;

/** A wrong command line; the message is what the user is shown. */
public final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
