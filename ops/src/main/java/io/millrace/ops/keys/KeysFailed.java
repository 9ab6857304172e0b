package io.millrace.ops.keys;

import io.millrace.ops.word.WordFailed;

/** Why passwords were not renewed, in one line. */
public final class KeysFailed extends WordFailed {
  private static final long serialVersionUID = 1L;

  KeysFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
