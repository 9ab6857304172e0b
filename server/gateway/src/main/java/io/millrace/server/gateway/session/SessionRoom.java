package io.millrace.server.gateway.session;

/**
 * The memory that the arguments, environment and script of one session use of what all share;
 * released at its end.
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

  /** Reserves bytes; false when there is no room now. */
  boolean take(int bytes) {
    if (!slots.hold(user, bytes)) {
      return false;
    }
    held += bytes;
    return true;
  }

  /** Reserves bytes for a script or other input, in place of those for the input before it. */
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
