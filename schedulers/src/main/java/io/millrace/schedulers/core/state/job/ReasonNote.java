package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.Shortage;

/** Why a class waits, since when, and what of it has been reported. */
public final class ReasonNote {

  private Shortage shortage;
  private long sinceMs;
  private long notedMs;
  private boolean told;
  private boolean untold;
  private boolean queued;
  private long toldUntilMs = Shortage.UNKNOWN;

  /** Present reason; null when the class does not wait. */
  public Shortage shortage() {
    return shortage;
  }

  /** Time since which the class has waited for this kind of reason. */
  long sinceMs() {
    return sinceMs;
  }

  /** Reported end of the wait; {@link Shortage#UNKNOWN} when none was reported. */
  long toldUntilMs() {
    return toldUntilMs;
  }

  /** True when a reason that still holds has been reported. */
  boolean told() {
    return told;
  }

  /** True when the present reason has yet to be reported. */
  boolean untold() {
    return untold;
  }

  /** True while the class is in the queue of classes to report. */
  boolean queued() {
    return queued;
  }

  /** True when the reason differs from the noted one in more than amounts and times. */
  boolean isNews(Shortage now) {
    return shortage == null || now.differs(shortage);
  }

  /**
   * True when the note is older than {@code afterMs} and the reason's amounts or times have
   * changed.
   */
  boolean isStale(Shortage now, long nowMs, long afterMs) {
    return shortage != null
        && nowMs - notedMs >= afterMs
        && (now.numbers().free() != shortage.numbers().free()
            || now.untilMs() != shortage.untilMs()
            || passed(nowMs));
  }

  /** True when the reported end of the wait has passed and the class still waits. */
  private boolean passed(long nowMs) {
    return told && toldUntilMs != Shortage.UNKNOWN && toldUntilMs <= nowMs;
  }

  void noted(Shortage now, long nowMs) {
    if (shortage == null || shortage.code() != now.code()) {
      sinceMs = nowMs;
    }
    shortage = now;
    notedMs = nowMs;
    untold = true;
  }

  void enqueued() {
    queued = true;
  }

  void dequeued() {
    queued = false;
  }

  void tell() {
    untold = false;
    told = true;
  }

  void toldUntil(long untilMs) {
    toldUntilMs = untilMs;
  }

  /** The class no longer waits; the caller takes back what was reported. */
  void cleared() {
    shortage = null;
    untold = false;
    told = false;
  }
}
