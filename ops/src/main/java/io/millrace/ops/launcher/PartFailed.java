package io.millrace.ops.launcher;

/** A part that did not come up; the message says which, and what it wrote last. */
final class PartFailed extends Exception {
  private static final long serialVersionUID = 1L;

  PartFailed(String message) {
    super(message);
  }
}
