package io.millrace.server.campaigns.core.admission;

/** A rule that means nothing, or that cannot be decided. The message is one line. */
final class WrongRule extends Exception {
  private static final long serialVersionUID = 1L;

  WrongRule(String message) {
    super(message);
  }
}
