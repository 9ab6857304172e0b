package io.millrace.ops.process;

import io.millrace.ops.word.WordFailed;

/** A part that did not start or does not end; the message names it and gives the reason. */
public final class PartFailed extends WordFailed {
  private static final long serialVersionUID = 1L;

  public PartFailed(String message) {
    super(message);
  }
}
