package io.millrace.schedulers.core.state.limit;

import java.util.ArrayList;
import java.util.List;

/**
 * How much of what a limit counts is in use or promised, and which classes wait until it is less.
 */
public final class LimitMeter {

  private long used;

  /**
   * Amount promised to jobs; {@code kept} is the part of jobs that the present walk has come to.
   */
  private long promised;

  private long kept;
  private int keptInRound;

  /** What others leave of it; all by itself. */
  private long lease = Long.MAX_VALUE;

  private final List<LimitedClass> waiting = new ArrayList<>();

  public long used() {
    return used;
  }

  long lease() {
    return lease;
  }

  void lease(long amount) {
    lease = amount;
  }

  void count(long amount) {
    used += amount;
  }

  public long promised() {
    return promised;
  }

  void promise(long amount) {
    promised += amount;
  }

  /** Amount promised to jobs that the walk of this round has come to. */
  long kept(int round) {
    return keptInRound == round ? kept : 0;
  }

  void keep(long amount, int round) {
    kept = kept(round) + amount;
    keptInRound = round;
  }

  void add(LimitedClass owner) {
    owner.meteredAt(waiting.size());
    waiting.add(owner);
  }

  void remove(LimitedClass owner) {
    LimitedClass last = waiting.remove(waiting.size() - 1);
    if (last != owner) {
      waiting.set(owner.meterIndex(), last);
      last.meteredAt(owner.meterIndex());
    }
  }

  /** The waiting classes as a copy, so that they can be removed while it is walked. */
  List<LimitedClass> waiting() {
    return waiting.isEmpty() ? List.of() : List.copyOf(waiting);
  }
}
