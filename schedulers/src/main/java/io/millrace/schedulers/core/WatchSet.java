package io.millrace.schedulers.core;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Blocked classes by the amount without which trying them again is pointless. */
final class WatchSet {

  private final TreeSet<ClassState> byAmount =
      new TreeSet<>(
          Comparator.<ClassState>comparingLong(it -> it.watchAmount).thenComparingInt(it -> it.id));

  /** Puts a class that stands in no set into this one. */
  void add(ClassState blocked, long amount) {
    blocked.watchAmount = amount;
    blocked.watchedIn = this;
    byAmount.add(blocked);
  }

  void remove(ClassState blocked) {
    byAmount.remove(blocked);
    blocked.watchedIn = null;
  }

  /** Removes the classes that wait for at most this amount and tells of each. */
  void take(long amount, Consumer<ClassState> taken) {
    while (!byAmount.isEmpty() && byAmount.first().watchAmount <= amount) {
      ClassState first = byAmount.pollFirst();
      first.watchedIn = null;
      taken.accept(first);
    }
  }
}
