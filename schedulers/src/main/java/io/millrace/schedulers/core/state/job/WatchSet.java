package io.millrace.schedulers.core.state.job;

import java.util.Arrays;
import java.util.Iterator;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Blocked classes by the smallest free amount that makes another try worthwhile. */
public final class WatchSet {

  private final TreeMap<Long, Group> byAmount = new TreeMap<>();

  /** The classes that wait for the same amount. */
  public static final class Group {

    private final long amount;
    private ClassState[] classes = new ClassState[1];
    private int size;

    private Group(long amount) {
      this.amount = amount;
    }

    public long amount() {
      return amount;
    }

    private void add(ClassState blocked) {
      if (size == classes.length) {
        classes = Arrays.copyOf(classes, size + (size >> 1) + 1);
      }
      blocked.watched(this, size);
      classes[size++] = blocked;
    }

    public void remove(ClassState blocked) {
      size--;
      ClassState last = classes[size];
      classes[blocked.watchIndex()] = last;
      last.watched(this, blocked.watchIndex());
      classes[size] = null;
      blocked.watched(null, 0);
    }
  }

  /** Adds a class that is in no watch set. */
  void add(ClassState blocked, long amount) {
    byAmount.computeIfAbsent(amount, Group::new).add(blocked);
  }

  /** Removes the classes that wait for at most this amount and may fit, and passes each on. */
  void take(long amount, Predicate<ClassState> mayFit, Consumer<ClassState> taken) {
    Iterator<Group> groups = byAmount.headMap(amount, true).values().iterator();
    while (groups.hasNext()) {
      Group group = groups.next();
      // Backwards, since the last entry moves into the place of a removed one.
      for (int i = group.size - 1; i >= 0; i--) {
        ClassState next = group.classes[i];
        if (mayFit.test(next)) {
          group.remove(next);
          taken.accept(next);
        }
      }
      if (group.size == 0) {
        groups.remove();
      }
    }
  }
}
