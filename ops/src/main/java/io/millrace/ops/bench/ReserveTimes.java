package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.core.cycle.ReservationCycle;
import io.millrace.schedulers.core.cycle.ReservationDecision;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Reservations in the engine: 10,000 of them over a year on 2,000 nodes, 32 nodes each. Time of a
 * decision, memory of a booking, and cycles beside them.
 */
final class ReserveTimes implements Computation {

  private static final int NODES = 2_000;
  private static final int RESERVATIONS = 10_000;
  private static final int NODES_EACH = 32;
  private static final int ASKED = 1_000;
  private static final int OCCURRENCES = 2_000;
  private static final long HOUR_MS = 3_600_000;
  private static final int ENDS = 21;
  private static final long GB = 1L << 30;
  private static final long MS = 1_000_000;
  private static final long YEAR_S = 365L * 86_400;
  private static final long DAY_S = 86_400;
  private static final long NOW_S = 1_795_000_000;

  private static final Map<String, Long> MEASURED =
      Map.of("ncpus", 32L, "mem", 128 * GB, "ngpus", 4L);

  /** PluS's manual, 3.4.5.1. */
  private static final String BY_STATE =
      """
      [
          UnusableNodes = { "unusableA", "unusableB" };

          PLUS_NODE_RESERVABLE =
              (PLUS_CANDIDATE_NODE.nRunJobs == 0 &&
               PLUS_CANDIDATE_NODE.isAlive &&
               PLUS_CANDIDATE_NODE.loadavg <= 0.3 &&
               !member(PLUS_CANDIDATE_NODE.name, UnusableNodes));
      ]
      """;

  private final Random random = new Random(1);

  @Override
  public void warmUp(Console console) {
    scene(1_000);
    underText();
    beside(1_000, 100, 0);
  }

  @Override
  public BenchFigures run(Console console) {
    BenchFigures alone = beside(0, 0, 0);
    return scene(RESERVATIONS)
        .with(standing())
        .with(underText())
        .with("cycle_without_ms", alone.values().get("everything"))
        .with("cycle_after_one_end_without_ms", alone.values().get("end"))
        .with(named("beyond", beside(RESERVATIONS, 0, 4 * DAY_S)))
        .with(named("100_within", beside(RESERVATIONS, 100, 4 * DAY_S)));
  }

  private static BenchFigures named(String name, BenchFigures figures) {
    return BenchFigures.none()
        .with("cycle_" + name + "_ms", figures.values().get("everything"))
        .with("cycle_after_one_end_" + name + "_ms", figures.values().get("end"));
  }

  /**
   * Decides under the first program of PluS's manual: on nodes that it allows, and on nodes that
   * are all too busy for it, each of which is asked about.
   */
  private BenchFigures underText() {
    SchedulerState state = cluster();
    text(state, BY_STATE);
    for (int i = 1; i <= RESERVATIONS; i++) {
      decide(state, asked(i, 0));
    }
    double[] free = times(state, RESERVATIONS);
    for (int i = 0; i < NODES; i++) {
      Map<String, Long> busy = new HashMap<>(MEASURED);
      busy.put(NodeLoads.PREFIX + "load_medium", 1_000_000L);
      state.facts().nodeUp(FullCluster.node(i), FullCluster.node(i), busy);
    }
    double[] refused = times(state, RESERVATIONS + ASKED);
    return BenchFigures.none()
        .with("decision_by_text_p50_ms", BenchFigures.quantile(free, 0.5))
        .with("decision_by_text_p99_ms", BenchFigures.quantile(free, 0.99))
        .with("decision_all_nodes_asked_p50_ms", BenchFigures.quantile(refused, 0.5))
        .with("decision_all_nodes_asked_p99_ms", BenchFigures.quantile(refused, 0.99));
  }

  private static void text(SchedulerState state, String text) {
    List<Attribute> attributes =
        List.of(
            new Attribute("scheduling", "True"),
            new Attribute(AttributeTable.RESERVABLE, text),
            new Attribute(AttributeTable.RESERVABLE_ZONE, "UTC"));
    state.facts().written(new ClusterObject(ObjectKind.SCHEDULER, "default", 1L, attributes, 1L));
  }

  /** Times of decisions on some more, in milliseconds. */
  private double[] times(SchedulerState state, int after) {
    double[] times = new double[ASKED];
    for (int i = 0; i < ASKED; i++) {
      Reservation one = asked(after + 1 + i, 0);
      state.facts().reservation(one);
      long begin = System.nanoTime();
      List<ReservationDecision> decided = ReservationCycle.run(state, now(), Long.MAX_VALUE);
      times[i] = (System.nanoTime() - begin) / (double) MS;
      state.facts().reservation(answered(one, decided.get(0)));
    }
    return times;
  }

  /** Decides on many reservations, and then on some more. */
  private BenchFigures scene(int reservations) {
    SchedulerState state = cluster();
    long before = heap();
    for (int i = 1; i <= reservations; i++) {
      decide(state, asked(i, 0));
    }
    double bytes = (heap() - before) / (double) (reservations * NODES_EACH);
    double[] times = times(state, reservations);
    return BenchFigures.none()
        .with("decision_p50_ms", BenchFigures.quantile(times, 0.5))
        .with("decision_p99_ms", BenchFigures.quantile(times, 0.99))
        .with("bytes_per_booking", bytes);
  }

  /** One that comes again: its decision, the fact that it is confirmed, and that it is gone. */
  private BenchFigures standing() {
    SchedulerState state = cluster();
    for (int i = 1; i <= ASKED; i++) {
      decide(state, asked(i, 0));
    }
    Reservation asked = asked(ASKED + 1, 0);
    ReservationSpec spec = asked.getSpec();
    spec.setEndMs(spec.getStartMs() + HOUR_MS);
    spec.getRequest().getChunks().get(0).setCount(2 * NODES_EACH);
    List<Long> later = new ArrayList<>();
    for (int i = 1; i < OCCURRENCES; i++) {
      later.add(spec.getStartMs() + 2 * i * HOUR_MS);
    }
    spec.setLaterMs(later);
    spec.setRule("FREQ=HOURLY;INTERVAL=2;COUNT=" + OCCURRENCES);
    state.facts().reservation(asked);
    long begin = System.nanoTime();
    ReservationDecision decided = ReservationCycle.run(state, now(), Long.MAX_VALUE).get(0);
    long known = System.nanoTime();
    Reservation confirmed = answered(asked, decided);
    List<Placement> placements = new ArrayList<>();
    for (List<NodeShare> there : decided.later().placements()) {
      placements.add(new Placement(there, confirmed(asked, there).getBooked(), ""));
    }
    confirmed.setPlacements(placements);
    confirmed.setLies(decided.later().lies());
    long told = System.nanoTime();
    state.facts().reservation(confirmed);
    long followed = System.nanoTime();
    state
        .facts()
        .reservation(Reservation.newBuilder(asked).setState(ReservationState.DELETED).build());
    return BenchFigures.none()
        .with("standing_decision_ms", (known - begin) / (double) MS)
        .with("standing_confirmed_ms", (followed - told) / (double) MS)
        .with("standing_deleted_ms", (System.nanoTime() - followed) / (double) MS);
  }

  /** Cycles of a full cluster beside reservations that begin after a time, and some that do not. */
  private BenchFigures beside(int later, int within, long fromS) {
    FullCluster cluster = new FullCluster(NODES, 5_000, 5_000);
    for (int i = 1; i <= later + within; i++) {
      boolean soon = i > later;
      long startS = NOW_S + (soon ? random.nextInt((int) DAY_S) : fromS + random.nextLong(YEAR_S));
      cluster.follow(confirmed(spec(i, startS), shares(random.nextInt(NODES), soon ? 1 : 8)));
    }
    double[] all = new double[5];
    for (int i = 0; i < all.length; i++) {
      all[i] = cluster.everything() / (double) MS;
    }
    double[] ends = new double[ENDS];
    for (int i = 0; i < ENDS; i++) {
      ends[i] = cluster.oneEnd(i) / (double) MS;
    }
    return BenchFigures.none()
        .with("everything", BenchFigures.quantile(all, 0.5))
        .with("end", BenchFigures.quantile(ends, 0.5));
  }

  private static Instant now() {
    return Instant.ofEpochSecond(NOW_S);
  }

  private static SchedulerState cluster() {
    SchedulerState state = new SchedulerState("default", 0, Policies.STANDARD, Integer.MAX_VALUE);
    state
        .facts()
        .written(
            new ClusterObject(
                ObjectKind.SCHEDULER,
                "default",
                1L,
                List.of(new Attribute("scheduling", "True")),
                1L));
    for (int i = 0; i < NODES; i++) {
      state
          .facts()
          .written(new ClusterObject(ObjectKind.NODE, FullCluster.node(i), 1L, List.of(), 1L));
      state
          .facts()
          .node(
              Node.newBuilder()
                  .setName(FullCluster.node(i))
                  .setHost(FullCluster.node(i))
                  .setUp(true)
                  .setMeasured(MEASURED)
                  .setHoldings(List.of())
                  .build());
    }
    return state;
  }

  private static void decide(SchedulerState state, Reservation asked) {
    state.facts().reservation(asked);
    for (ReservationDecision it : ReservationCycle.run(state, now(), Long.MAX_VALUE)) {
      state.facts().reservation(answered(asked, it));
    }
  }

  private static Reservation answered(Reservation asked, ReservationDecision it) {
    return it.confirms()
        ? confirmed(asked, it.shares())
        : Reservation.newBuilder(asked).setState(ReservationState.DELETED).build();
  }

  private Reservation asked(int number, long fromS) {
    return spec(number, NOW_S + fromS + 3_600 + random.nextLong(YEAR_S));
  }

  private Reservation spec(int number, long startS) {
    long endS = startS + 3_600 + random.nextInt(36_000);
    Chunk chunk =
        new Chunk(NODES_EACH, Map.of("ncpus", 16L, "mem", 64 * GB, "ngpus", 2L), Map.of());
    ReservationSpec spec =
        ReservationSpec.newBuilder()
            .setOwner("u@h")
            .setSubmitHost("h")
            .setStartMs(1000 * startS)
            .setEndMs(1000 * endS)
            .setRequest(new ResourceRequest(List.of(chunk), "scatter", endS - startS, Map.of()))
            .setResourceList(List.of())
            .build();
    return Reservation.newBuilder()
        .setId("R" + number + ".bench")
        .setNumber(number)
        .setQueue("R" + number)
        .setSpec(spec)
        .setState(ReservationState.UNCONFIRMED)
        .setSubstate(ReservationState.UNCONFIRMED)
        .setCreatedMs(0)
        .setModifiedMs(0)
        .build();
  }

  private static List<NodeShare> shares(int first, long cpus) {
    List<NodeShare> shares = new ArrayList<>();
    for (int i = 0; i < NODES_EACH; i++) {
      String node = FullCluster.node((first + i) % NODES);
      shares.add(new NodeShare(node, node, 1, Map.of("ncpus", cpus, "mem", 2 * GB)));
    }
    return shares;
  }

  private static Reservation confirmed(Reservation asked, List<NodeShare> shares) {
    List<BookedNode> booked = new ArrayList<>();
    shares.forEach(it -> booked.add(new BookedNode(it.getNode(), it.getAmounts(), false)));
    return Reservation.newBuilder(asked)
        .setShares(shares)
        .setBooked(booked)
        .setState(ReservationState.CONFIRMED)
        .build();
  }

  private static long heap() {
    return FullCluster.heap();
  }
}
