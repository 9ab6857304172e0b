package io.millrace.server.core.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.SeedSource;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.server.core.placement.BookedRoom.Asker;
import io.millrace.server.core.placement.BookedRoom.BookingPeriod;
import io.millrace.server.core.state.BookingWrites;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;

/** Many windows of a node at once have room when each of them has, and one is what a count says. */
class BookedRoomPropertyTest {
  private static final int NOW = 5;
  private static final int END = 80;
  private static final long ASKS = 7;
  private static final List<String> NODES = List.of("a", "b");

  /** What is there, one by one. */
  private record PlainUse(String node, long from, long to, long cpus, long mem, boolean alone) {}

  private final Tables tables = Tables.inMemory(0, 1);
  private final List<PlainUse> uses = new ArrayList<>();

  @ParameterizedTest
  @SeedSource({1, 2, 3})
  void windowsTogetherAreAsEachAlone(long seed) {
    Random random = new Random(seed);
    int both = 0;
    for (int round = 0; round < 300; round++) {
      cluster(random);
      BookedRoom room = new BookedRoom(tables, ResourceTable.standard(), NOW);
      List<BookingPeriod> spans = spans(random);
      Map<String, Long> amounts =
          Map.of("ncpus", 1L + random.nextInt(4), "mem", (long) random.nextInt(4));
      Sharing sharing = Sharing.values()[random.nextInt(Sharing.values().length)];
      Asker asker = Asker.reservation(ASKS);
      Node node = tables.nodes().get("a");
      ClusterObject object = PartitionTable.node(tables, "a");
      boolean each = true;
      for (BookingPeriod span : spans) {
        Map<String, Long> free = room.free(node, object, span, asker);
        assertEquals(plain("ncpus", span), free.getOrDefault("ncpus", 0L), () -> span + " " + uses);
        assertEquals(plain("mem", span), free.getOrDefault("mem", 0L), () -> span + " " + uses);
        each &= NodeAmounts.fits(free, amounts) && room.open(node, object, span, asker, sharing);
      }
      boolean together = room.freeInEach(node, amounts, sharing, spans, asker);
      assertEquals(each, together, () -> spans + " " + amounts + " " + sharing + " " + uses);
      both += each ? 1 : 0;
    }
    assertTrue(both > 20 && both < 280, "both answers occur: " + both);
  }

  private long plain(String resource, BookingPeriod span) {
    long most = 0;
    for (long at = span.fromMs(); at < span.toMs(); at++) {
      long sum = 0;
      for (PlainUse use : uses) {
        if (use.node.equals("a") && use.from <= at && use.to > at) {
          sum += resource.equals("mem") ? use.mem : use.cpus;
        }
      }
      most = Math.max(most, sum);
    }
    return 8 - most;
  }

  private static List<BookingPeriod> spans(Random random) {
    int length = 1 + random.nextInt(6);
    List<BookingPeriod> spans = new ArrayList<>();
    for (int from = NOW + random.nextInt(20); from < END && spans.size() < 8; ) {
      spans.add(new BookingPeriod(from, from + length));
      from += length + random.nextInt(12);
    }
    return spans;
  }

  private void cluster(Random random) {
    uses.clear();
    List<String> old = new ArrayList<>();
    tables.bookings().scan("", null, (key, it) -> old.add(key));
    old.forEach(key -> BookingWrites.remove(tables, key));
    for (String name : NODES) {
      List<Attribute> attributes = List.of(new Attribute("Mom", "host"));
      ClusterObject object = new ClusterObject(ObjectKind.NODE, name, 1L, attributes, 1L);
      tables.objects().put(Keys.object(ObjectKind.NODE, name), object);
      List<Holding> holdings = new ArrayList<>();
      if (random.nextInt(4) == 0) {
        // Of a run without a record nothing is known but that it is there now.
        boolean alone = random.nextBoolean();
        holdings.add(new Holding("9", 9L, 0, amounts(1, 1), 1, 0, alone));
        uses.add(new PlainUse(name, Long.MIN_VALUE, NOW + 1, 1, 1, alone));
      }
      Node node = Nodes.fresh(name, "host");
      node.setMeasured(amounts(8, 8));
      node.setHoldings(holdings);
      tables.nodes().put(name, node);
      int bookings = random.nextInt(4);
      for (int number = 1; number <= bookings; number++) {
        book(random, name, number);
      }
    }
    if (random.nextInt(3) == 0) {
      // His own do not count.
      put(new NodeBooking("a", ASKS, 0L, (long) END, amounts(8, 8), true, List.of()));
    }
  }

  private void book(Random random, String node, long number) {
    int length = 1 + random.nextInt(8);
    boolean alone = random.nextInt(8) == 0;
    long cpus = random.nextInt(4);
    long mem = random.nextInt(4);
    TreeSet<Long> starts = new TreeSet<>();
    long start = random.nextInt(END);
    for (int times = 1 + random.nextInt(5); times > 0; times--) {
      starts.add(start);
      start += length + random.nextInt(10);
    }
    for (long from : starts) {
      uses.add(new PlainUse(node, from, from + length, cpus, mem, alone));
    }
    long first = starts.pollFirst();
    put(
        new NodeBooking(
            node,
            number,
            first,
            first + length,
            amounts(cpus, mem),
            alone,
            new ArrayList<>(starts)));
  }

  private void put(NodeBooking booking) {
    String key = Keys.booking(booking.getNode(), booking.getStartMs(), booking.getNumber());
    BookingWrites.put(tables, key, booking);
  }

  private static Map<String, Long> amounts(long cpus, long mem) {
    return Map.of("ncpus", cpus, "mem", mem);
  }
}
