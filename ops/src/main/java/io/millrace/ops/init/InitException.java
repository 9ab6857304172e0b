package io.millrace.ops.init;

import io.millrace.ops.word.WordFailed;

/** Why a cluster could not be initialised, in one line. */
public final class InitException extends WordFailed {
  private static final long serialVersionUID = 1L;

  public InitException(String message, Throwable cause) {
    super(message, cause);
  }
}
