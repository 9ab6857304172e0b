package io.millrace.server.web.door;

import io.millrace.server.gateway.session.Room;

/**
 * What all connections together may hold, each kind apart: who has not proven who he is takes no
 * room from those who have, and nobody's bodies take that of answers.
 */
final class Memory {

  /** A body is there as bytes, as text, as what was read from it, and as what goes on from here. */
  static final int COPIES = 4;

  final Room known;
  final Room strangers;
  final Room answers;

  Memory(DoorLimits.Memory limits) {
    this.known = new Room(limits.known());
    this.strangers = new Room(limits.strangers());
    this.answers = new Room(limits.answers());
  }

  long held() {
    return known.held() + strangers.held() + answers.held();
  }
}
