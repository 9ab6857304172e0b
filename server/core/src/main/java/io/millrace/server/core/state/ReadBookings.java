package io.millrace.server.core.state;

import io.millrace.schemas.state.NodeBooking;
import java.util.function.Consumer;

/** The read side of the bookings: by key as those of other tables, and by node and time. */
public interface ReadBookings extends ReadTable<NodeBooking> {

  /** Whether anything at all is booked. */
  boolean any();

  /** Whether anything is booked of a node. */
  boolean any(String node);

  /** Number of the bookings of a node; one that has many times counts as so many. */
  int count(String node);

  /**
   * Visits the bookings of a node that lie in a window at any of their times, in the order of their
   * first starts. Costs what lies in it, however much is booked of the node.
   *
   * @param toMs end of the window, which is not part of it
   */
  void within(String node, long fromMs, long toMs, Consumer<NodeBooking> visitor);

  /** Whether anything is booked of a node in a window. May be asked by any thread. */
  boolean anyWithin(String node, long fromMs, long toMs);
}
