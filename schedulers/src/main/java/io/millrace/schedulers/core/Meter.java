package io.millrace.schedulers.core;

import java.util.ArrayList;
import java.util.List;

/** How much of what a limit counts is in use, and which classes wait until it is less. */
final class Meter {

  private long used;
  private final List<ClassState> waiting = new ArrayList<>();

  long used() {
    return used;
  }

  void count(long amount) {
    used += amount;
  }

  void add(ClassState owner) {
    owner.waitsFor = this;
    owner.meterIndex = waiting.size();
    waiting.add(owner);
  }

  void remove(ClassState owner) {
    ClassState last = waiting.remove(waiting.size() - 1);
    if (last != owner) {
      waiting.set(owner.meterIndex, last);
      last.meterIndex = owner.meterIndex;
    }
    owner.waitsFor = null;
  }

  /** The classes that wait; to be called before any is removed. */
  List<ClassState> waiting() {
    return waiting.isEmpty() ? List.of() : List.copyOf(waiting);
  }
}
