package io.millrace.ops.word;

/** A word could not do what it was asked for; the message says why. */
public class WordFailed extends Exception {
  private static final long serialVersionUID = 1L;

  public WordFailed(String message) {
    super(message);
  }

  public WordFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
