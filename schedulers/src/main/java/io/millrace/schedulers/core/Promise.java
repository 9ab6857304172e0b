package io.millrace.schedulers.core;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schemas.common.NodeShare;
import java.util.List;

/** The future start that cycles hold for a waiting job. */
public final class Promise {

  static final long UNKNOWN = -1;

  private final long number;
  private final long fromMs;
  private final long toMs;

  /** What it will get; null when by what is known it never starts. */
  final Held held;

  final ClassState owner;
  private final ResourceNames names;

  /** Position in the pool's log of gains up to which it is known that none brings it forward. */
  long knownUpTo = UNKNOWN;

  /** What is known from the last search; null when the next one has to look at everything. */
  Foresight foresight;

  /** What it left of its nodes while it is out of the book for a moment; null otherwise. */
  long[][] leftBefore;

  /** State of {@link Releases} for which it was searched last. */
  long searchedAt;

  /** True when then several runs were to end at its start. */
  boolean shared;

  /** Number of the last cycle that found it still to hold. */
  int keptInCycle;

  /** True when nodes of it have changed, so that it may hold no longer. */
  boolean suspect;

  Promise(long number, ClassState owner, Held held, long fromMs, ResourceNames names) {
    this.names = names;
    this.number = number;
    this.owner = owner;
    this.held = held;
    this.fromMs = fromMs;
    this.toMs = UsageProfile.end(fromMs, owner.shape.walltimeMs);
  }

  /** Has an earlier start looked for among everything. */
  void forgetFuture() {
    knownUpTo = UNKNOWN;
    foresight = null;
  }

  public long jobNumber() {
    return number;
  }

  /** Time of the start; {@link UsageProfile#NEVER} when by what is known the job never starts. */
  public long fromMs() {
    return fromMs;
  }

  /** When the job will have ended at the latest; {@link UsageProfile#FOREVER} when nobody knows. */
  public long toMs() {
    return toMs;
  }

  /** True when there is a time. */
  public boolean dated() {
    return held != null;
  }

  /** What the job will get of which nodes; empty without a time. */
  public List<NodeShare> shares() {
    return held == null ? List.of() : held.shares(names);
  }
}
