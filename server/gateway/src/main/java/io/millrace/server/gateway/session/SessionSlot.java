package io.millrace.server.gateway.session;

/**
 * The slot of one session: an ordinary one or, once its command has declared that it may last for
 * hours, a lasting one. Used by the session's own thread.
 */
final class SessionSlot implements AutoCloseable {
  private final SessionSlots slots;
  private boolean ordinary;
  private String user;
  private boolean lasting;

  private SessionSlot(SessionSlots slots, boolean ordinary) {
    this.slots = slots;
    this.ordinary = ordinary;
  }

  /** Takes a slot for a session; null when all are in use. */
  static SessionSlot take(SessionSlots slots) {
    return slots.enter() ? new SessionSlot(slots, true) : null;
  }

  /** The slot of a session that is counted elsewhere unless it is a lasting one. */
  static SessionSlot apart(SessionSlots slots, String user) {
    SessionSlot seat = new SessionSlot(slots, false);
    seat.user = user;
    return seat;
  }

  /** Sets the user; false when that user's slots are all in use. */
  boolean of(String name) {
    if (!slots.enter(name)) {
      return false;
    }
    user = name;
    return true;
  }

  /** Turns it into a slot for a lasting session; false when all those are in use. */
  boolean last() {
    if (lasting) {
      return true;
    }
    if (!slots.enterLasting(user)) {
      return false;
    }
    lasting = true;
    leaveOrdinary();
    return true;
  }

  private void leaveOrdinary() {
    if (!ordinary) {
      return;
    }
    ordinary = false;
    if (user != null) {
      slots.leave(user);
    }
    slots.leave();
  }

  @Override
  public void close() {
    if (lasting) {
      slots.leaveLasting(user);
    }
    leaveOrdinary();
  }
}
