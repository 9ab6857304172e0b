package io.millrace.reservations.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.reservations.timeline.Claim.AmountCounting;
import io.millrace.schemas.SeedSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;

/** Compares the timeline with plain arrays that have one cell per unit of time. */
class TimelinePropertyTest {

  private static final int LATEST = 40;

  /** A time after all ends. */
  private static final int END = 60;

  private static final int RESOURCES = 4;
  private static final long WHOLE = 1L << 40;

  @ParameterizedTest
  @SeedSource({1, 2})
  void equalsPlainArrays(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 250; round++) {
      World world = new World(random);
      for (int step = 0; step < 12; step++) {
        world.change();
        world.compare();
      }
      world.releaseAll();
      world.compare();
    }
  }

  /** Use of a container, cell by cell; the last cell stands for all later time. */
  private static final class Cells {

    private final long[] capacities;
    private final long[][] used = new long[RESOURCES][END + 1];

    Cells(long... capacities) {
      this.capacities = capacities;
    }

    long left(int resource, int from, long duration) {
      long most = 0;
      for (long t = from; t < from + Math.max(1, Math.min(duration, END + 1L)); t++) {
        most = Math.max(most, used[resource][(int) Math.min(t, END)]);
      }
      return capacities[resource] - most;
    }

    long room(Claim claim, int from, long duration) {
      long room = Integer.MAX_VALUE;
      for (int r = 0; r < RESOURCES; r++) {
        if (capacities[r] != Container.ABSENT && claim.amount(r) > 0) {
          long left = left(r, from, duration);
          if (claim.share(r) == AmountCounting.EACH_SLOT) {
            room = Math.min(room, Math.max(0, Math.floorDiv(left, claim.amount(r))));
          } else if (claim.share(r) == AmountCounting.WHOLE && left < WHOLE) {
            room = 0;
          }
        }
      }
      return room;
    }

    boolean once(Claim claim, int from, long duration) {
      for (int r = 0; r < RESOURCES; r++) {
        if (capacities[r] != Container.ABSENT
            && claim.amount(r) > 0
            && claim.share(r) == AmountCounting.ONCE
            && left(r, from, duration) < claim.amount(r)) {
          return false;
        }
      }
      return true;
    }

    boolean changes(Claim claim, int time) {
      for (int r = 0; r < RESOURCES; r++) {
        boolean counts = capacities[r] != Container.ABSENT && claim.amount(r) > 0;
        if (counts && used[r][time] != (time > 0 ? used[r][time - 1] : 0)) {
          return true;
        }
      }
      return false;
    }

    void add(Booking booking, int slots, boolean first, int sign) {
      for (int r = 0; r < RESOURCES; r++) {
        if (capacities[r] != Container.ABSENT) {
          for (long t = booking.window().from(); t <= END && t < booking.window().to(); t++) {
            used[r][(int) t] += sign * booking.claim().taken(r, slots, first);
          }
        }
      }
    }
  }

  /**
   * The same containers in both forms. Resources: slots, memory, a consumable taken once per job,
   * and an exclusive one.
   */
  private static final class World {

    private final Random random;
    private final int hosts;
    private final int[] hostOf;
    private final Cells cluster;
    private final List<Cells> hostCells = new ArrayList<>();
    private final List<Cells> queueCells = new ArrayList<>();
    private final List<Cells> environmentCells = new ArrayList<>();
    private final Timeline timeline;
    private final List<Booking> booked = new ArrayList<>();

    World(Random random) {
      this.random = random;
      this.hosts = 1 + random.nextInt(4);
      this.hostOf = random.ints(1 + random.nextInt(6), 0, hosts).toArray();
      cluster = new Cells(Container.ABSENT, maybe(20), maybe(2), Container.ABSENT);
      for (int i = 0; i < hosts; i++) {
        hostCells.add(new Cells(maybe(8), maybe(12), maybe(2), alone()));
      }
      for (int i = 0; i < hostOf.length; i++) {
        queueCells.add(new Cells(1 + random.nextInt(4), maybe(6), maybe(1), alone()));
      }
      environmentCells.add(
          new Cells(1 + random.nextInt(9), Container.ABSENT, Container.ABSENT, Container.ABSENT));
      timeline =
          new Timeline(
              container(cluster),
              hostCells.stream().map(World::container).toList(),
              queueCells.stream().map(World::container).toList(),
              hostOf,
              environmentCells.stream().map(World::container).toList());
    }

    private static Container container(Cells cells) {
      return new Container(cells.capacities);
    }

    private long maybe(int most) {
      return random.nextBoolean() ? Container.ABSENT : 1 + random.nextInt(most);
    }

    private long alone() {
      return random.nextInt(3) == 0 ? WHOLE : Container.ABSENT;
    }

    private Claim claim() {
      boolean alone = random.nextInt(4) == 0;
      long[] amounts = {
        1, random.nextInt(4), random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0, alone ? WHOLE : 1
      };
      return Claim.of(
          amounts,
          new AmountCounting[] {
            AmountCounting.EACH_SLOT,
            AmountCounting.EACH_SLOT,
            AmountCounting.ONCE,
            alone ? AmountCounting.WHOLE : AmountCounting.EACH_SLOT
          });
    }

    void change() {
      if (!booked.isEmpty() && random.nextInt(3) == 0) {
        Booking booking = booked.remove(random.nextInt(booked.size()));
        timeline.release(booking);
        add(booking, -1);
        return;
      }
      int[] queues =
          random
              .ints(0, hostOf.length)
              .distinct()
              .limit(1 + random.nextInt(hostOf.length))
              .toArray();
      int[] slots = random.ints(queues.length, 1, 3).toArray();
      int from = random.nextInt(LATEST);
      Booking booking =
          new Booking(claim(), Window.of(from, duration()), random.nextInt(2) - 1, queues, slots);
      booked.add(booking);
      timeline.debit(booking);
      add(booking, 1);
    }

    private long duration() {
      return random.nextInt(6) == 0 ? UsageProfile.FOREVER : 1 + random.nextInt(15);
    }

    void releaseAll() {
      booked.forEach(timeline::release);
      booked.forEach(booking -> add(booking, -1));
      booked.clear();
    }

    private void add(Booking booking, int sign) {
      int total = booking.total();
      if (booking.environment() >= 0) {
        environmentCells.get(booking.environment()).add(booking, total, true, sign);
      }
      cluster.add(booking, total, true, sign);
      for (int i = 0; i < booking.queues().length; i++) {
        int queue = booking.queues()[i];
        hostCells.get(hostOf[queue]).add(booking, booking.slots()[i], i == 0, sign);
        queueCells.get(queue).add(booking, booking.slots()[i], i == 0, sign);
      }
    }

    void compare() {
      Claim claim = claim();
      int from = random.nextInt(LATEST);
      long duration = duration();
      int[] open =
          random
              .ints(0, hostOf.length)
              .distinct()
              .limit(1 + random.nextInt(hostOf.length))
              .toArray();
      assertEquals(sequential(claim, open, from), timeline.earliest(claim, open, from));
      int least = random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0;
      int slots = Math.max(1, least) * (1 + random.nextInt(4));
      BitSet neverFirst = new BitSet();
      if (random.nextInt(4) == 0) {
        neverFirst.set(open[0]);
      }
      int[] watched =
          java.util.stream.IntStream.range(0, hostOf.length)
              .filter(queue -> random.nextInt(9) == 0)
              .filter(queue -> java.util.Arrays.stream(open).noneMatch(it -> it == queue))
              .toArray();
      ParallelRequest spread =
          new ParallelRequest(
              claim,
              random.nextInt(2) - 1,
              slots,
              least,
              duration,
              new ParallelRequest.Candidates(open, watched, neverFirst, mostOfHost()));
      assertEquals(parallel(spread, from), timeline.earliest(spread, from), spread::toString);
      for (int host = 0; host < hosts; host++) {
        int[] own = here(open, host);
        assertEquals(
            slots(claim, host, own, from, duration),
            timeline.slots(claim, host, own, Window.of(from, duration)));
      }
    }

    private int[] mostOfHost() {
      return random.nextBoolean() ? new int[0] : random.ints(hosts, 0, 5).toArray();
    }

    private int[] here(int[] queues, int host) {
      return java.util.Arrays.stream(queues).filter(queue -> hostOf[queue] == host).toArray();
    }

    private int slots(Claim claim, int host, int[] queues, int from, long duration) {
      long together = 0;
      for (int queue : queues) {
        together += queueCells.get(queue).room(claim, from, duration);
      }
      return (int) Math.min(hostCells.get(host).room(claim, from, duration), together);
    }

    /** Time from which on one slot stays free at all levels. */
    private long sequential(Claim claim, int[] open, int from) {
      for (int start = from; start <= END; start++) {
        for (int queue : open) {
          if (one(cluster, claim, start)
              && one(hostCells.get(hostOf[queue]), claim, start)
              && one(queueCells.get(queue), claim, start)) {
            return start;
          }
        }
      }
      return UsageProfile.NEVER;
    }

    private static boolean one(Cells cells, Claim claim, int start) {
      return cells.room(claim, start, UsageProfile.FOREVER) > 0
          && cells.once(claim, start, UsageProfile.FOREVER);
    }

    private long parallel(ParallelRequest spread, int from) {
      TreeSet<Integer> times = new TreeSet<>();
      for (int t = from; t <= END; t++) {
        if (changes(spread, t)) {
          times.add(t);
        }
      }
      if (times.isEmpty()) {
        return suits(spread, END) ? from : UsageProfile.NEVER;
      }
      long best = UsageProfile.NEVER;
      for (int time : times.descendingSet()) {
        if (!suits(spread, time)) {
          return best;
        }
        best = time;
      }
      return best;
    }

    private boolean changes(ParallelRequest spread, int time) {
      boolean any = cluster.changes(spread.claim(), time);
      if (spread.environment() >= 0) {
        any |= environmentCells.get(spread.environment()).changes(spread.claim(), time);
      }
      for (int[] queues : List.of(spread.places().open(), spread.places().watched())) {
        for (int queue : queues) {
          any |= queueCells.get(queue).changes(spread.claim(), time);
          any |= hostCells.get(hostOf[queue]).changes(spread.claim(), time);
        }
      }
      return any;
    }

    private boolean suits(ParallelRequest spread, int time) {
      Claim claim = spread.claim();
      long duration = spread.duration();
      long total = 0;
      boolean first = false;
      for (int host = 0; host < hosts; host++) {
        int[] own = here(spread.places().open(), host);
        int[] most = spread.places().mostOfHost();
        int room = slots(claim, host, own, time, duration);
        room = most.length == 0 ? room : Math.min(room, most[host]);
        int exact = spread.exactPerHost();
        int share = exact == 0 ? Math.min(room, spread.slots()) : room >= exact ? exact : 0;
        total += share;
        for (int queue : own) {
          first |=
              share > 0
                  && !spread.places().neverFirst().get(queue)
                  && queueCells.get(queue).room(claim, time, duration) > 0
                  && queueCells.get(queue).once(claim, time, duration)
                  && hostCells.get(host).once(claim, time, duration);
        }
      }
      long shared = cluster.room(claim, time, duration);
      if (spread.environment() >= 0) {
        Cells environment = environmentCells.get(spread.environment());
        shared = Math.min(shared, environment.room(claim, time, duration));
      }
      return total >= spread.slots()
          && (first || !claim.takesOnce())
          && shared >= spread.slots()
          && cluster.once(claim, time, duration);
    }
  }
}
