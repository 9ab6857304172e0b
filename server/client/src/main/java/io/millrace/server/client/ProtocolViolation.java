package io.millrace.server.client;

/** The gateway said something that this protocol does not know; trying again would not help. */
final class ProtocolViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtocolViolation(String message) {
    super(message);
  }
}
