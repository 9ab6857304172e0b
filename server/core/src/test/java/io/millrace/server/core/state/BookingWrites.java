package io.millrace.server.core.state;

import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.NodeBooking;
import java.util.List;

/** Books of nodes without a reservation, and takes away what one has booked; for tests. */
public final class BookingWrites {
  private BookingWrites() {}

  public static void put(Tables tables, String key, NodeBooking booking) {
    BookedNode one =
        new BookedNode(booking.getNode(), booking.getAmounts(), booking.getExclusive());
    BookedSlot slot =
        new BookedSlot(
            booking.getNumber(),
            booking.getStartMs(),
            booking.getEndMs(),
            key.endsWith(BookingTable.HELD),
            booking.getLaterMs(),
            List.of(one));
    ((BookingTable) tables.bookings()).put(slot, one);
  }

  public static void remove(Tables tables, String key) {
    ((BookingTable) tables.bookings()).remove(key);
  }
}
