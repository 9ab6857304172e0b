package io.millrace.schedulers.core.state.node;

import io.millrace.reservations.timeline.UsageProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that is booked for times to come, by time and by reservation. Keeps the bookings on the nodes
 * consistent with it.
 */
public final class BookingCalendar {

  private final NodeTable nodes;

  private final List<Booked> byStart = new ArrayList<>();
  private final List<Booked> byEnd = new ArrayList<>();
  private final Map<Long, Booked> byNumber = new HashMap<>();

  BookingCalendar(NodeTable nodes) {
    this.nodes = nodes;
  }

  public int size() {
    return byStart.size();
  }

  public Booked byStart(int index) {
    return byStart.get(index);
  }

  public Booked byEnd(int index) {
    return byEnd.get(index);
  }

  /** What a reservation has booked; null when that is nothing. */
  public Booked of(long reservation) {
    return byNumber.get(reservation);
  }

  /** Beginning of the first booking; {@link UsageProfile#NEVER} when there is none. */
  public long firstMs() {
    return byStart.isEmpty() ? UsageProfile.NEVER : byStart.get(0).fromMs();
  }

  /** Number of bookings that begin at a time or before. */
  public int startsUntil(long timeMs) {
    int low = 0;
    int high = byStart.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (byStart.get(middle).fromMs() <= timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Number of bookings that end at a time or before. */
  public int endsUntil(long timeMs) {
    int low = 0;
    int high = byEnd.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (byEnd.get(middle).toMs() <= timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  public void add(Booked booked) {
    addLater(booked);
    byNumber.put(booked.number(), booked);
  }

  public void remove(Booked booked) {
    byNumber.remove(booked.number());
    removeLater(booked);
  }

  /** Adds what a standing reservation has booked beside what {@link #of} tells. */
  public void addLater(Booked booked) {
    insert(byStart, booked, Booked::byStart);
    insert(byEnd, booked, Booked::byEnd);
    book(booked, 1);
  }

  public void removeLater(Booked booked) {
    byStart.remove(Collections.binarySearch(byStart, booked, Booked::byStart));
    byEnd.remove(Collections.binarySearch(byEnd, booked, Booked::byEnd));
    book(booked, -1);
  }

  private void book(Booked booked, int sign) {
    List<NodeAllocation> takes = booked.held().takes();
    for (int i = 0; i < takes.size(); i++) {
      NodeState node = takes.get(i).node();
      boolean alone = booked.exclusive()[i];
      node.book(booked.fromMs(), booked.toMs(), takes.get(i).amounts(), alone, sign);
      if (sign < 0) {
        nodes.unbooked(node);
      }
    }
  }

  private static void insert(List<Booked> sorted, Booked booked, Comparator<Booked> order) {
    sorted.add(-Collections.binarySearch(sorted, booked, order) - 1, booked);
  }
}
