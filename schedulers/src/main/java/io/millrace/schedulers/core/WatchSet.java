package io.millrace.schedulers.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

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

  boolean isEmpty() {
    return byAmount.isEmpty();
  }

  /** Removes and returns the classes that wait for at most this amount. */
  List<ClassState> take(long amount) {
    List<ClassState> taken = new ArrayList<>();
    while (!byAmount.isEmpty() && byAmount.first().watchAmount <= amount) {
      ClassState first = byAmount.pollFirst();
      first.watchedIn = null;
      taken.add(first);
    }
    return taken;
  }
}
