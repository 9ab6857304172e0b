package io.millrace.ops.process;

import io.millrace.ops.word.WordFailed;

/** A part that did not come up, or does not end; the message says which, and why it knows. */
public final class PartFailed extends WordFailed {
  private static final long serialVersionUID = 1L;

  public PartFailed(String message) {
    super(message);
  }
}
