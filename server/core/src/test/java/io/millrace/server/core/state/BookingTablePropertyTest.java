package io.millrace.server.core.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.SeedSource;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.server.core.shard.WalkedBookings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Bookings by node and time are what a walk over the records finds, after changes by chance and
 * when another takes the records over.
 */
class BookingTablePropertyTest {
  /** In another order than their keys, which have a slash behind the name. */
  private static final List<String> NODES = List.of("n", "n.1", "n-1", "n1", "n10");

  private static final int END = 200;

  private final Map<String, NodeBooking> expected = new TreeMap<>();
  private Tables tables = Tables.inMemory(0, 1);

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
      if (step % 200 == 0) {
        takeOver();
      }
    }
    for (String key : List.copyOf(expected.keySet())) {
      expected.remove(key);
      tables.table(NodeBooking.class).remove(key);
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
      tables.table(NodeBooking.class).remove(without);
      return;
    }
    NodeBooking booking = booking(random);
    String key = Keys.booking(booking.getNode(), booking.getStartMs(), booking.getNumber());
    String put = random.nextInt(5) == 0 ? key + "+" : key;
    expected.put(put, booking);
    tables.table(NodeBooking.class).put(put, booking);
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
    WalkedBookings.check(tables);
    Map<String, NodeBooking> all = new TreeMap<>();
    tables.table(NodeBooking.class).scan("", null, (key, it) -> all.put(key, it) == null);
    assertEquals(expected, all);
    List<NodeBooking> each = new ArrayList<>();
    tables.table(NodeBooking.class).each(each::add);
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
          .table(NodeBooking.class)
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
      NodeBooking got = tables.table(NodeBooking.class).get(from);
      if (known == null) {
        assertNull(got, from);
      } else {
        assertEquals(known, got);
      }
    }
  }

  /** Another one begins with nothing but the records. */
  private void takeOver() {
    Table<NodeBooking> records = tables.table("bookings");
    tables =
        new Tables(
            0,
            1,
            WireCodec.local(),
            name -> name.equals("bookings") ? records : Tables.inMemory(0, 1).table(name));
    assertTrue(tables.bookings().any() == !expected.isEmpty());
  }
}
