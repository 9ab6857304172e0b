package io.millrace.server.core.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is booked is the same whether each change was followed or all is made at once. */
final class BookingsAnewTest {
  private static final int NODES = 6;
  private static final int TIMES = 40;

  private final Random random = new Random(7);

  private List<BookedNode> booked() {
    List<BookedNode> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      if (random.nextBoolean()) {
        nodes.add(new BookedNode("n" + i, Map.of("ncpus", 1L + random.nextInt(3)), false));
      }
    }
    return nodes;
  }

  private ReservationSpec spec(long startMs, List<Long> laterMs) {
    return ReservationSpec.newBuilder()
        .setOwner("ann")
        .setSubmitHost("host")
        .setStartMs(startMs)
        .setEndMs(startMs + 3)
        .setLaterMs(laterMs)
        .setRequest(new ResourceRequest(List.of(), "", 3L, Map.of()))
        .setResourceList(List.of())
        .build();
  }

  private Reservation reservation(long number) {
    long startMs = random.nextInt(TIMES);
    Reservation.Builder one =
        Reservation.newBuilder()
            .setId("R" + number)
            .setNumber(number)
            .setQueue("R" + number)
            .setSpec(spec(startMs, List.of()))
            .setState(ReservationState.CONFIRMED)
            .setSubstate(ReservationState.CONFIRMED)
            .setCreatedMs(0)
            .setModifiedMs(0)
            .setBooked(booked());
    int kind = random.nextInt(4);
    if (kind == 0) {
      one.setSpec(spec(startMs, List.of(startMs + 10, startMs + 20)));
      one.setPlacements(List.of(new Placement(List.of(), booked(), "")));
      one.setLies(List.of(0, 0));
    } else if (kind == 1) {
      one.setPending(
          ReservationTransaction.newBuilder()
              .setKind(TransactionKind.MODIFY)
              .setBy("ann")
              .setOpenedMs(0)
              .setSpec(spec(startMs + random.nextInt(6) - 3, List.of()))
              .setBooked(booked())
              .build());
    }
    return one.build();
  }

  private static Map<String, NodeBooking> all(ReadBookings bookings) {
    Map<String, NodeBooking> all = new TreeMap<>();
    bookings.scan("", null, (key, booking) -> all.put(key, booking) == null);
    return all;
  }

  private static List<NodeBooking> within(ReadBookings bookings, long fromMs) {
    List<NodeBooking> found = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      bookings.within("n" + i, fromMs, fromMs + 4, found::add);
    }
    return found;
  }

  @Test
  void theSameIsBooked() {
    Tables tables = Tables.inMemory(0, 1);
    Table<Reservation> records = tables.table(Reservation.class);
    for (int i = 0; i < 2_000; i++) {
      long number = random.nextInt(60);
      records.put(Keys.number(number), reservation(number));
    }
    BookingTable anew = new BookingTable();
    anew.begin(records);
    Map<String, NodeBooking> followed = all(tables.bookings());
    assertTrue(followed.keySet().stream().anyMatch(it -> it.endsWith(BookingTable.HELD)));
    assertTrue(followed.values().stream().anyMatch(it -> !it.getLaterMs().isEmpty()));
    assertEquals(followed, all(anew));
    for (long fromMs = -3; fromMs < TIMES + 30; fromMs++) {
      assertEquals(within(tables.bookings(), fromMs), within(anew, fromMs));
    }
  }
}
