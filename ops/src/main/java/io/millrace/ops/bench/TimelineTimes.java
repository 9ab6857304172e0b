package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.word.Console;
import io.millrace.reservations.timeline.Booking;
import io.millrace.reservations.timeline.Claim;
import io.millrace.reservations.timeline.Container;
import io.millrace.reservations.timeline.ParallelRequest;
import io.millrace.reservations.timeline.Timeline;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.reservations.timeline.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Times promises on a full cluster: 10,000 hosts of four slots, one queue instance on each, 40,000
 * jobs of one slot that end at different times.
 */
final class TimelineTimes implements Computation {

  private static final int HOSTS = 10_000;
  private static final int SLOTS = 4;
  private static final int PROMISES = 1_000;
  private static final double MS = 1e6;
  private static final double US = 1e3;

  /** Resources: slots and memory in GB. */
  private static final Claim ONE = Claim.ofEachSlot(1, 2);

  private static final int[] ALL = IntStream.range(0, HOSTS).toArray();

  @Override
  public BenchFigures run(Console console) {
    Random random = new Random(1);
    long begin = System.nanoTime();
    Timeline timeline = busy(random);
    long filled = System.nanoTime();
    int promised = 0;
    for (int i = 0; i < PROMISES; i++) {
      promised += promise(timeline, 1 + random.nextInt(32), 600 + random.nextInt(7_200)) ? 1 : 0;
    }
    long done = System.nanoTime();
    long sequential = 0;
    for (int i = 0; i < PROMISES; i++) {
      sequential += timeline.earliest(ONE, ALL, 0) > 0 ? 1 : 0;
    }
    long asked = System.nanoTime();
    return BenchFigures.none()
        .with("timeline_40000_debits_ms", (filled - begin) / MS)
        .with("timeline_1000_parallel_promises_ms", (done - filled) / MS)
        .with("timeline_promises", promised)
        .with("timeline_sequential_start_us", (asked - done) / US / Math.max(1, sequential));
  }

  private static Timeline busy(Random random) {
    List<Container> hosts = new ArrayList<>();
    List<Container> queues = new ArrayList<>();
    for (int i = 0; i < HOSTS; i++) {
      hosts.add(new Container(Container.ABSENT, 2 * SLOTS));
      queues.add(new Container(SLOTS, Container.ABSENT));
    }
    Container cluster = new Container(Container.ABSENT, Container.ABSENT);
    Container environment = new Container(HOSTS, Container.ABSENT);
    Timeline timeline = new Timeline(cluster, hosts, queues, ALL, List.of(environment));
    for (int i = 0; i < HOSTS * SLOTS; i++) {
      Window window = Window.of(0, 600 + random.nextInt(86_400));
      timeline.debit(new Booking(ONE, window, Timeline.NONE, new int[] {i % HOSTS}, new int[] {1}));
    }
    return timeline;
  }

  /** Finds the earliest start of a request and books its slots there, host by host. */
  private static boolean promise(Timeline timeline, int slots, long duration) {
    ParallelRequest request =
        new ParallelRequest(ONE, 0, slots, 0, duration, ParallelRequest.Candidates.of(ALL));
    long start = timeline.earliest(request, 0);
    if (start == UsageProfile.NEVER) {
      return false;
    }
    Window window = Window.of(start, duration);
    List<Integer> queues = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    int left = slots;
    for (int host = 0; host < HOSTS && left > 0; host++) {
      int here = Math.min(left, timeline.slots(ONE, host, new int[] {host}, window));
      if (here > 0) {
        queues.add(host);
        counts.add(here);
        left -= here;
      }
    }
    int[] taken = counts.stream().mapToInt(Integer::intValue).toArray();
    timeline.debit(
        new Booking(ONE, window, 0, queues.stream().mapToInt(Integer::intValue).toArray(), taken));
    return left == 0;
  }
}
