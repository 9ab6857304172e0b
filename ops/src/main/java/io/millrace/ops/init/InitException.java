package io.millrace.ops.init;

/** Why a cluster could not be initialised, in one line. */
public final class InitException extends Exception {
  private static final long serialVersionUID = 1L;

  InitException(String message, Throwable cause) {
    super(message, cause);
  }
}
