package io.millrace.server.client;

/** The gateway said something that this protocol does not know; trying again would not help. */
final class ProtocolBreach extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtocolBreach(String message) {
    super(message);
  }
}
