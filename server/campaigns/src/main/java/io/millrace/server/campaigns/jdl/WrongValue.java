package io.millrace.server.campaigns.jdl;

/** A value that its field does not take; the place is where the reader stands. */
final class WrongValue extends Exception {
  private static final long serialVersionUID = 1L;

  WrongValue(String reason) {
    super(reason);
  }
}
