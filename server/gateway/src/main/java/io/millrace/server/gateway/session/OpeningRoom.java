package io.millrace.server.gateway.session;

/**
 * What one session's arguments and environment take of the memory for all; given back at its end.
 */
final class OpeningRoom implements AutoCloseable {
  private final SessionSlots slots;
  private final String user;
  private long held;

  OpeningRoom(SessionSlots slots, String user) {
    this.slots = slots;
    this.user = user;
  }

  /** False when there is no room for these bytes now. */
  boolean take(int bytes) {
    if (!slots.hold(user, bytes)) {
      return false;
    }
    held += bytes;
    return true;
  }

  @Override
  public void close() {
    slots.release(user, held);
  }
}
