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

  /** Reserved for what has come and was not read yet. */
  private long ahead;

  SessionRoom(SessionSlots slots, String user) {
    this.slots = slots;
    this.user = user;
  }

  /** Reserves bytes of an opening that have come, and will be read later. */
  boolean ahead(int bytes) {
    if (!slots.hold(user, bytes)) {
      return false;
    }
    ahead += bytes;
    return true;
  }

  /** Reserves bytes, those that came ahead first; false when there is no room now. */
  boolean take(int bytes) {
    long there = Math.min(ahead, bytes);
    if (!slots.hold(user, bytes - there)) {
      return false;
    }
    ahead -= there;
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
    slots.release(user, held + input + ahead);
  }
}
