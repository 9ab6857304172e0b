package io.millrace.ops.launcher;

/** A part that did not come up, or does not end; the message says which, and why it knows. */
final class PartFailed extends Exception {
  private static final long serialVersionUID = 1L;

  PartFailed(String message) {
    super(message);
  }
}
