package io.millrace.server.gateway.session;

/**
 * What one session's arguments, environment and script take of the memory for all; given back at
 * its end.
 */
final class SessionRoom implements AutoCloseable {
  private final SessionSlots slots;
  private final String user;
  private long held;
  private long input;

  SessionRoom(SessionSlots slots, String user) {
    this.slots = slots;
    this.user = user;
  }

  /** Takes room for so many bytes; false when there is none now. */
  boolean take(int bytes) {
    if (!slots.hold(user, bytes)) {
      return false;
    }
    held += bytes;
    return true;
  }

  /** Holds so much of a script or other input in place of what was read before it. */
  boolean input(long bytes) {
    if (bytes <= input) {
      slots.release(user, input - bytes);
    } else if (!slots.hold(user, bytes - input)) {
      return false;
    }
    input = bytes;
    return true;
  }

  @Override
  public void close() {
    slots.release(user, held + input);
  }
}
