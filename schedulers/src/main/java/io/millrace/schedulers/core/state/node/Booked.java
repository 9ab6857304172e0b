package io.millrace.schedulers.core.state.node;

import java.util.Arrays;

/**
 * What a reservation has booked in its window: nodes, and how much of each.
 *
 * @param number of the reservation
 * @param name of its queue, as users know it: R7
 * @param exclusive for each take of {@code held}: whether nobody else may be on the node
 */
public record Booked(
    long number, String name, long fromMs, long toMs, JobAllocation held, boolean[] exclusive) {

  /** The same at another time. */
  public Booked at(long otherFromMs, long otherToMs) {
    return new Booked(number, name, otherFromMs, otherToMs, held, exclusive);
  }

  /** The same under another number. */
  public Booked as(long other) {
    return new Booked(other, name, fromMs, toMs, held, exclusive);
  }

  /** Order by beginning; the number breaks ties. */
  static int byStart(Booked a, Booked b) {
    return a.fromMs != b.fromMs
        ? Long.compare(a.fromMs, b.fromMs)
        : Long.compare(a.number, b.number);
  }

  /** Order by end; the number breaks ties. */
  static int byEnd(Booked a, Booked b) {
    return a.toMs != b.toMs ? Long.compare(a.toMs, b.toMs) : Long.compare(a.number, b.number);
  }

  /** True when a node is among its nodes. */
  public boolean has(NodeState node) {
    for (int i = 0; i < held.size(); i++) {
      if (held.node(i) == node) {
        return true;
      }
    }
    return false;
  }

  /** True when nobody else may be on one of its nodes. */
  boolean exclusive(NodeState node) {
    for (int i = 0; i < held.size(); i++) {
      if (held.node(i) == node && exclusive[i]) {
        return true;
      }
    }
    return false;
  }

  /** True when the other one books the same. */
  public boolean sameAs(Booked other) {
    return fromMs == other.fromMs
        && toMs == other.toMs
        && Arrays.equals(exclusive, other.exclusive)
        && (held == other.held || held.sameTakes(other.held));
  }
}
