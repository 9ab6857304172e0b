package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.Shortage;

/** Why a class waits, since when, and what of that the world was told. */
public final class ReasonNote {

  private Shortage shortage;
  private long sinceMs;
  private long notedMs;
  private boolean told;
  private boolean untold;
  private boolean queued;
  private long toldUntilMs = Shortage.UNKNOWN;

  /** Null when the class does not wait. */
  public Shortage shortage() {
    return shortage;
  }

  /** Since when the reason is of its kind. */
  long sinceMs() {
    return sinceMs;
  }

  /** When it will end by what the world was told; {@link Shortage#UNKNOWN} when that is nothing. */
  long toldUntilMs() {
    return toldUntilMs;
  }

  /** True when the world was told of any reason that still holds. */
  boolean told() {
    return told;
  }

  /** True when the world is to be told of this one. */
  boolean untold() {
    return untold;
  }

  /** True while it stands among those of which the world is told, or was. */
  boolean queued() {
    return queued;
  }

  /** True when the world would read another story than what was noted. */
  boolean isNews(Shortage now) {
    return shortage == null || now.differs(shortage);
  }

  /** True when what was noted is older than some time and its amounts or times are others now. */
  boolean isStale(Shortage now, long nowMs, long afterMs) {
    return shortage != null
        && nowMs - notedMs >= afterMs
        && (now.numbers().free() != shortage.numbers().free()
            || now.untilMs() != shortage.untilMs()
            || passed(nowMs));
  }

  /** True when the world was told an end, and the class still waits then. */
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

  /** The class waits no more; what the world was told is taken back by others. */
  void cleared() {
    shortage = null;
    untold = false;
    told = false;
  }
}
