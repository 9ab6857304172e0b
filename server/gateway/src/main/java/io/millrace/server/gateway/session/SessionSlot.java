package io.millrace.server.gateway.session;

/**
 * One session among those that are served at once: an ordinary one, or, once its command has said
 * that it may last for hours, one of those. Used by the session's own thread.
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

  /** Takes a place for a session; null when as many are open as may be. */
  static SessionSlot take(SessionSlots slots) {
    return slots.enter() ? new SessionSlot(slots, true) : null;
  }

  /** Of a session whose like somebody else counts, unless it lasts. */
  static SessionSlot apart(SessionSlots slots, String user) {
    SessionSlot seat = new SessionSlot(slots, false);
    seat.user = user;
    return seat;
  }

  /** Whose session it is; false when that user has as many as may be. */
  boolean of(String name) {
    if (!slots.enter(name)) {
      return false;
    }
    user = name;
    return true;
  }

  /** Makes room for an ordinary session; false when there are as many lasting ones as may be. */
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
