package io.millrace.server.core.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.SeedSource;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.WalkedBookings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Bookings by node and time are what a walk over all of them finds, and are what the reservations'
 * records say, after changes by chance and when another takes the records over.
 */
class BookingTablePropertyTest {
  /** In another order than their keys, which have a slash behind the name. */
  private static final List<String> NODES = List.of("n", "n.1", "n-1", "n1", "n10");

  private static final int END = 200;

  private final Map<String, NodeBooking> expected = new TreeMap<>();
  private final Tables tables = Tables.inMemory(0, 1);

  @ParameterizedTest
  @SeedSource(
      value = {1, 2, 3},
      night = 100)
  void whatIsFoundIsWhatAWalkFinds(long seed) {
    Random random = new Random(seed);
    for (int step = 0; step < 2_000; step++) {
      change(random);
      if (step % 20 == 0) {
        compare(random);
      }
    }
    for (String key : List.copyOf(expected.keySet())) {
      expected.remove(key);
      BookingWrites.remove(tables, key);
    }
    compare(random);
    assertFalse(tables.bookings().any());
  }

  private void change(Random random) {
    boolean removes = !expected.isEmpty() && random.nextInt(100) < 45;
    if (removes) {
      List<String> keys = List.copyOf(expected.keySet());
      String key = keys.get(random.nextInt(keys.size()));
      // One that is not there is removed, too.
      String gone = random.nextInt(10) == 0 ? key + "+" : key;
      String without = gone.endsWith("++") ? key : gone;
      expected.remove(without);
      BookingWrites.remove(tables, without);
      return;
    }
    NodeBooking booking = booking(random);
    String key = Keys.booking(booking.getNode(), booking.getStartMs(), booking.getNumber());
    String put = random.nextInt(5) == 0 ? key + "+" : key;
    expected.put(put, booking);
    BookingWrites.put(tables, put, booking);
  }

  private static NodeBooking booking(Random random) {
    String node = NODES.get(random.nextInt(NODES.size()));
    // Most are short; a long one lies over many.
    int length = 1 + random.nextInt(random.nextInt(10) == 0 ? END : 6);
    long start = random.nextInt(END);
    List<Long> later = new ArrayList<>();
    long next = start;
    for (int i = random.nextInt(4) == 0 ? random.nextInt(6) : 0; i > 0; i--) {
      next += length + random.nextInt(20);
      later.add(next);
    }
    Map<String, Long> amounts = Map.of("ncpus", (long) random.nextInt(3));
    long number = 1 + random.nextInt(5);
    return new NodeBooking(
        node, number, start, start + length, amounts, random.nextBoolean(), later);
  }

  private void compare(Random random) {
    WalkedBookings.windows(tables);
    Map<String, NodeBooking> all = new TreeMap<>();
    tables.bookings().scan("", null, (key, it) -> all.put(key, it) == null);
    assertEquals(expected, all);
    List<NodeBooking> each = new ArrayList<>();
    tables.bookings().each(each::add);
    assertEquals(List.copyOf(new TreeMap<>(expected).values()), each);
    Map<String, List<NodeBooking>> byNode = new TreeMap<>();
    expected
        .values()
        .forEach(it -> byNode.computeIfAbsent(it.getNode(), n -> new ArrayList<>()).add(it));
    for (int i = 0; i < 10; i++) {
      long from = random.nextInt(END);
      WalkedBookings.within(tables, byNode, from, from + random.nextInt(40));
    }
    ranges(random);
  }

  private void ranges(Random random) {
    List<String> places = new ArrayList<>(List.of("", "n", "n1/", "n10", "o"));
    expected.keySet().stream().filter(it -> random.nextInt(8) == 0).forEach(places::add);
    for (String from : places) {
      String to = places.get(random.nextInt(places.size()));
      Map<String, NodeBooking> found = new TreeMap<>();
      int most = 1 + random.nextInt(6);
      tables
          .bookings()
          .scan(
              from,
              to,
              (key, it) -> {
                found.put(key, it);
                return found.size() < most;
              });
      Map<String, NodeBooking> walked = new TreeMap<>();
      for (Map.Entry<String, NodeBooking> one : expected.entrySet()) {
        String key = one.getKey();
        if (key.compareTo(from) >= 0 && key.compareTo(to) < 0 && walked.size() < most) {
          walked.put(key, one.getValue());
        }
      }
      assertEquals(walked, found, () -> from + " to " + to);
      NodeBooking known = expected.get(from);
      NodeBooking got = tables.bookings().get(from);
      if (known == null) {
        assertNull(got, from);
      } else {
        assertEquals(known, got);
      }
    }
  }

  @ParameterizedTest
  @SeedSource(
      value = {1, 2, 3},
      night = 100)
  void itFollowsTheReservations(long seed) {
    Random random = new Random(seed);
    Table<Reservation> all = tables.table(Reservation.class);
    for (int step = 0; step < 300; step++) {
      long number = 1 + random.nextInt(8);
      Reservation before = all.get(Keys.number(number));
      if (before != null && random.nextInt(4) == 0) {
        all.remove(Keys.number(number));
      } else {
        all.put(Keys.number(number), changed(random, before, number));
      }
      WalkedBookings.check(tables);
    }
    for (long number = 1; number <= 8; number++) {
      all.remove(Keys.number(number));
    }
    WalkedBookings.check(tables);
    assertFalse(tables.bookings().any());
  }

  /** A new one, or another record of it in which something is as it was. */
  private static Reservation changed(Random random, Reservation before, long number) {
    long startMs = 1 + random.nextInt(END);
    long endMs = startMs + 1 + random.nextInt(5);
    ReservationSpec spec =
        ReservationCalls.spec("ann", "pbs-default", startMs, endMs, "", new Chunk[0]);
    // Sometimes so many that they are booked in several parts.
    int times = random.nextInt(20) == 0 ? 1_200 : random.nextInt(4);
    List<Placement> placements = new ArrayList<>();
    List<Integer> lies = new ArrayList<>();
    List<Long> later = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      later.add(endMs + 10L * i);
      int which = random.nextInt(Math.min(3, placements.size() + 1));
      if (which == placements.size()) {
        placements.add(new Placement(List.of(), booked(random), ""));
      }
      lies.add(which);
    }
    spec.setLaterMs(later);
    ReservationTransaction open = random.nextInt(3) == 0 ? open(random, spec) : null;
    if (before != null && random.nextInt(3) > 0) {
      Reservation after = Copies.of(before);
      switch (random.nextInt(4)) {
        case 0 -> after.setBooked(booked(random));
        case 1 -> after.setPending(open);
        case 2 -> after.setModifiedMs(startMs);
        default -> after.setPlacements(moved(random, before.getPlacements()));
      }
      return after;
    }
    return Reservation.newBuilder()
        .setId("R" + number)
        .setNumber(number)
        .setQueue("R" + number)
        .setSpec(spec)
        .setState(ReservationState.CONFIRMED)
        .setSubstate(ReservationState.CONFIRMED)
        .setCreatedMs(0)
        .setModifiedMs(0)
        .setBooked(booked(random))
        .setPlacements(placements)
        .setLies(lies)
        .setPending(open)
        .build();
  }

  private static List<Placement> moved(Random random, List<Placement> placements) {
    List<Placement> moved = new ArrayList<>(placements);
    moved.replaceAll(
        it -> random.nextBoolean() ? it : new Placement(List.of(), booked(random), ""));
    return moved;
  }

  private static ReservationTransaction open(Random random, ReservationSpec now) {
    long startMs = now.getStartMs() - 3 + random.nextInt(6);
    ReservationSpec then = Copies.of(now);
    then.setStartMs(startMs);
    then.setEndMs(startMs + 1 + random.nextInt(8));
    return ReservationTransaction.newBuilder()
        .setKind(TransactionKind.MODIFY)
        .setBy("ann")
        .setOpenedMs(0)
        .setSpec(then)
        .setBooked(booked(random))
        .build();
  }

  private static List<BookedNode> booked(Random random) {
    List<BookedNode> booked = new ArrayList<>();
    for (String node : NODES) {
      if (random.nextInt(3) == 0) {
        Map<String, Long> amounts = Map.of("ncpus", 1L + random.nextInt(3));
        booked.add(new BookedNode(node, amounts, random.nextBoolean()));
      }
    }
    return booked;
  }
}
