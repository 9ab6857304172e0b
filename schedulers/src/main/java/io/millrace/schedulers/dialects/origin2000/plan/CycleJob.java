package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.state.OriginJob;
import io.millrace.schedulers.dialects.origin2000.state.OriginNodes;

/** A job within a cycle. */
final class CycleJob {

  /** Group of a job whose real one the server does not know. */
  static final String UNKNOWN_GROUP = "???";

  /** What is left to a job that runs longer than it asked for. */
  private static final long OVERTIME_S = 180;

  private final OriginJob given;
  private final String user;
  private final long nodes;
  private final long queuedS;
  private final long eligibleS;
  private final long leftS;
  private final boolean firstSeen;
  private char state;
  private String comment;
  private boolean dedicated;
  private boolean outstanding;
  private boolean special;
  private boolean gone;
  private CycleQueue queue;

  /**
   * @param lastCycleAt jobs that came since then are seen for the first time
   */
  CycleJob(OriginJob given, long now, long lastCycleAt) {
    this.given = given;
    user = group() + ":" + given.owner();
    nodes = OriginNodes.of(given.ncpus(), given.memory());
    queuedS = now - given.createdAt();
    long sinceEligible = given.eligibleAt() == 0 ? 0 : now - given.eligibleAt();
    eligibleS = sinceEligible == 0 ? queuedS : sinceEligible;
    leftS = given.walltimeS() - given.usedS();
    state = given.state();
    comment = given.comment();
    firstSeen = state == 'Q' && queuedS <= now - lastCycleAt;
  }

  OriginJob given() {
    return given;
  }

  String id() {
    return given.id();
  }

  String owner() {
    return given.owner();
  }

  String group() {
    return given.group().isEmpty() ? UNKNOWN_GROUP : given.group();
  }

  /** The account to which past usage is charged. */
  String user() {
    return user;
  }

  long nodes() {
    return nodes;
  }

  long walltimeS() {
    return given.walltimeS();
  }

  long queuedS() {
    return queuedS;
  }

  long eligibleS() {
    return eligibleS;
  }

  /** Seconds until it ends as it asked; below 0 when it is late. */
  long leftS() {
    return leftS;
  }

  /** Seconds until it can be expected to end. */
  long expectedS() {
    return leftS < 0 ? OVERTIME_S : leftS;
  }

  boolean firstSeen() {
    return firstSeen;
  }

  char state() {
    return state;
  }

  boolean waits() {
    return state == 'Q' && !gone;
  }

  boolean runs() {
    return state == 'R';
  }

  void run() {
    state = 'R';
  }

  /** Takes a job that was deleted out of the cycle. */
  void remove() {
    gone = true;
  }

  boolean isGone() {
    return gone;
  }

  String comment() {
    return comment;
  }

  void comment(String text) {
    comment = text;
  }

  boolean isDedicated() {
    return dedicated;
  }

  void makeDedicated() {
    dedicated = true;
  }

  /** Whether it waited too long. */
  boolean isOutstanding() {
    return outstanding;
  }

  void makeOutstanding() {
    outstanding = true;
  }

  boolean isSpecial() {
    return special;
  }

  void makeSpecial() {
    special = true;
  }

  /** Whether it goes before normal jobs and has queues drained for it. */
  boolean isUrgent() {
    return special || outstanding;
  }

  CycleQueue queue() {
    return queue;
  }

  void queue(CycleQueue owner) {
    queue = owner;
  }
}
