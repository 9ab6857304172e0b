package io.millrace.schedulers.core;

import java.util.ArrayList;
import java.util.List;

/**
 * How much of what a limit counts is in use or promised, and which classes wait until it is less.
 */
final class Meter {

  private long used;

  /** For jobs that hold a promise, and for those of them that a cycle has come to. */
  private long promised;

  private long kept;
  private int keptInRound;

  private final List<ClassState> waiting = new ArrayList<>();

  long used() {
    return used;
  }

  void count(long amount) {
    used += amount;
  }

  long promised() {
    return promised;
  }

  void promise(long amount) {
    promised += amount;
  }

  /** What is promised to jobs that a round has come to. */
  long kept(int round) {
    return keptInRound == round ? kept : 0;
  }

  void keep(long amount, int round) {
    kept = kept(round) + amount;
    keptInRound = round;
  }

  void add(ClassState owner) {
    owner.meterIndex = waiting.size();
    waiting.add(owner);
  }

  void remove(ClassState owner) {
    ClassState last = waiting.remove(waiting.size() - 1);
    if (last != owner) {
      waiting.set(owner.meterIndex, last);
      last.meterIndex = owner.meterIndex;
    }
  }

  /** The classes that wait; to be called before any is removed. */
  List<ClassState> waiting() {
    return waiting.isEmpty() ? List.of() : List.copyOf(waiting);
  }
}
