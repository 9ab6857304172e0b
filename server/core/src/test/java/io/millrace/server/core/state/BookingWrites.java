package io.millrace.server.core.state;

import io.millrace.schemas.state.NodeBooking;

/** Books of nodes without a reservation, and takes away what one has booked; for tests. */
public final class BookingWrites {
  private BookingWrites() {}

  public static void put(Tables tables, String key, NodeBooking booking) {
    ((BookingTable) tables.bookings()).put(key, booking);
  }

  public static void remove(Tables tables, String key) {
    ((BookingTable) tables.bookings()).remove(key);
  }
}
