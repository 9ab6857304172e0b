package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reservations under a reservable.ad. Four nodes of 8 cpus, n1 to n4. */
class ReservableCycleTest {

  private static final long GB = 1L << 30;
  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);
  private static final long HOUR_S = 3600;

  private final SchedulerState state = new SchedulerState("default", 0, new Priority(), 1000);
  private final Map<Long, Reservation> reservations = new HashMap<>();

  @BeforeEach
  void cluster() {
    state.facts().written(Records.scheduler());
    state.facts().written(Records.queue("workq"));
    for (int i = 1; i <= 4; i++) {
      state.facts().written(Records.object(ObjectKind.NODE, "n" + i));
      state.facts().node(Records.node("n" + i, "h" + i, 8, 4 * GB));
    }
  }

  private static ClusterObject with(ClusterObject object, String text) {
    return Records.object(
        object.getKind(),
        object.getName(),
        "scheduling",
        "True",
        AttributeTable.RESERVABLE,
        text,
        AttributeTable.RESERVABLE_ZONE,
        "UTC");
  }

  private void load(String rule) {
    state.facts().written(with(Records.scheduler(), "PLUS_NODE_RESERVABLE = " + rule));
  }

  private ReservationSpec spec(String owner, long fromS, long toS, String request) {
    long from = NOW.toEpochMilli() + fromS * 1000;
    long to = NOW.toEpochMilli() + toS * 1000;
    ReservationSpec spec = SampleReservations.spec("pbs-default", from, to, request);
    spec.setOwner(owner);
    return spec;
  }

  private void tell(Reservation record) {
    reservations.put(record.getNumber(), record);
    state.facts().reservation(record);
  }

  private void ask(long number, String owner, long fromS, long toS, String request) {
    tell(SampleReservations.asked(number, spec(owner, fromS, toS, request)));
  }

  private String decide() {
    List<ReservationDecision> decisions = ReservationCycle.run(state, NOW, Long.MAX_VALUE);
    for (ReservationDecision it : decisions) {
      Reservation before = reservations.get(it.number());
      if (it.confirms()) {
        tell(SampleReservations.confirmed(before, it.shares()));
      } else if (before.getShares().isEmpty()) {
        tell(SampleReservations.ended(before));
      } else {
        tell(SampleReservations.asBefore(before));
      }
    }
    return decisions.stream()
        .map(it -> it.confirms() ? nodes(it) : it.why())
        .collect(Collectors.joining(" "));
  }

  private static String nodes(ReservationDecision decision) {
    return decision.shares().stream()
        .map(it -> it.getNode() + "*" + it.getChunks())
        .collect(Collectors.joining("+"));
  }

  @Test
  void nodesThatTheTextForbidsAreNotProposed() {
    load("PLUS_CANDIDATE_NODE.name != \"n2\"");
    ask(1, "ann", HOUR_S, 2 * HOUR_S, "select=2:ncpus=8");
    assertEquals("n1*1+n3*1", decide());
  }

  @Test
  void aDenialNamesTheTextWhenThereWouldBeRoom() {
    load("PLUS_RSV_OWNER == \"ann\"");
    ask(1, "bob", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
    assertEquals(
        "reservable.ad leaves too few nodes that have room: PLUS_NODE_RESERVABLE is false for n1",
        decide());
    ask(2, "ann", HOUR_S, 2 * HOUR_S, "select=4:ncpus=8");
    assertEquals("n1*1+n2*1+n3*1+n4*1", decide());
    ask(3, "bob", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
    assertEquals(
        "too little is free of runs and of other reservations throughout its time", decide());
  }

  @Test
  void whatIsNoTruthIsNoNode() {
    for (String rule : List.of("0", "undefined", "error", "\"yes\"", "nothing.like(1)")) {
      load(rule.replace("nothing.like(1)", "PLUS_CANDIDATE_NODE.nothing > 1"));
      ask(1, "ann", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
      assertTrue(decide().startsWith("reservable.ad leaves too few nodes"), rule);
    }
    load("PLUS_NODE_RESERVABLE");
    ask(1, "ann", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
    assertTrue(decide().startsWith("reservable.ad leaves too few nodes"), "calls itself");
  }

  @Test
  void nodesThatAreGivenCountForThoseThatFollow() {
    load("size(PLUS_ALLOCATED_NODES) + 1 <= size(PLUS_ALL_NODES) * 0.5");
    for (String place : List.of("", ",place=scatter", ",place=vscatter")) {
      ask(1, "ann", HOUR_S, 2 * HOUR_S, "select=2:ncpus=8" + place);
      assertEquals("n1*1+n2*1", decide(), place);
      tell(SampleReservations.ended(reservations.get(1L)));
      ask(2, "ann", HOUR_S, 2 * HOUR_S, "select=3:ncpus=8" + place);
      assertTrue(decide().startsWith("reservable.ad"), place);
    }
    ask(3, "ann", HOUR_S, 2 * HOUR_S, "select=1:ncpus=8+1:ncpus=4+1:ncpus=4");
    assertEquals("n1*1+n2*1+n2*1", decide(), "a node with chunks of two kinds is given once");
  }

  @Test
  void whatNodesDoNowIsAsked() {
    load("PLUS_CANDIDATE_NODE.nRunJobs == 0 && PLUS_CANDIDATE_NODE.loadavg <= 0.3");
    state.facts().job(Records.job(7, "workq", 0, "select=1:ncpus=1,walltime=60"));
    Cycle.run(state, NOW, 1_000_000)
        .starts()
        .forEach(
            it ->
                state
                    .facts()
                    .granted(it.jobNumber(), Records.allocation(it.shares()), NOW.toEpochMilli()));
    Map<String, Long> measured =
        Map.of("ncpus", 8L, "mem", 4 * GB, NodeLoads.PREFIX + "load_medium", 2_000_000L);
    state.facts().nodeUp("n2", "h2", measured);
    ask(1, "ann", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
    assertEquals("n3*1", decide());
    state.facts().gone(7);
    ask(2, "ann", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
    assertEquals("n1*1", decide());
  }

  /** A hundred thousand steps for a node are allowed; not those for a hundred and more nodes. */
  @Test
  void theNodesOfAllOccurrencesHaveABoundTogether() {
    StringBuilder text = new StringBuilder("A15 > 0\nA0 = 1\n");
    for (int i = 1; i <= 15; i++) {
      text.append("A%d = A%d + A%d\n".formatted(i, i - 1, i - 1));
    }
    load(text.toString());
    ReservationSpec spec = spec("ann", HOUR_S, 2 * HOUR_S, "select=4:ncpus=8");
    List<Long> later = new ArrayList<>();
    for (int i = 1; i < 40; i++) {
      later.add(spec.getStartMs() + i * 2 * HOUR_S * 1000);
    }
    spec.setRule("FREQ=HOURLY;INTERVAL=2;COUNT=40");
    spec.setLaterMs(later);
    Reservation patient = SampleReservations.asked(1, spec);
    patient.setInteractiveS(-60);
    tell(patient);
    ask(2, "ann", HOUR_S, 2 * HOUR_S, "select=4:ncpus=8");
    List<ReservationDecision> decisions = ReservationCycle.run(state, NOW, 900_000);
    assertEquals(1, decisions.size(), "the text's steps count as work of the cycle");
    assertTrue(
        decisions.get(0).why().contains("together need more than 10000000 steps"),
        decisions.get(0)::why);
    tell(SampleReservations.ended(patient));
    assertEquals("n1*1+n2*1+n3*1+n4*1", decide());
  }

  @Test
  void timesAreThoseOfTheReservation() {
    load("PLUS_RSV_END - PLUS_RSV_START <= relTime(\"2h\") && PLUS_RSV_START > absTime(time())");
    ask(1, "ann", HOUR_S, 3 * HOUR_S, "select=1:ncpus=1");
    assertEquals("n1*1", decide());
    ask(2, "ann", HOUR_S, 3 * HOUR_S + 1, "select=1:ncpus=1");
    assertTrue(decide().startsWith("reservable.ad"));
    // Longer than it may be: an alteration is asked about with its new time.
    Reservation longer = Reservation.newBuilder(reservations.get(1L)).build();
    longer.setAsked(spec("ann", HOUR_S, 4 * HOUR_S, "select=1:ncpus=1"));
    tell(longer);
    assertTrue(decide().startsWith("reservable.ad"));
  }

  @Test
  void whatUsersHaveReservedCountsAlsoWhenItIsOver() {
    load(
        "plus_rsvutil(PLUS_RSV_OWNER, absTime(time()) - relTime(\"7d\"),"
            + " absTime(time()) + relTime(\"7d\"))[2] < 3.5");
    ask(1, "ann", HOUR_S, 3 * HOUR_S, "select=1:ncpus=1");
    assertEquals("n1*1", decide());
    Reservation over = SampleReservations.asked(9, spec("ann", -3 * HOUR_S, -HOUR_S, "select=1"));
    over = SampleReservations.confirmed(over, reservations.get(1L).getShares());
    long endedMs = over.getSpec().getEndMs();
    state.inputs().past(new PastReservation(over, endedMs, endedMs, "its time is over"));
    ask(2, "ann", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
    assertTrue(decide().startsWith("reservable.ad"), "four hours of nodes");
    ask(3, "bob", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
    assertEquals("n1*1", decide(), "nobody else's");
    state.facts().forgotten(9);
    ask(4, "ann", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
    assertEquals("n1*1", decide());
  }

  @Test
  void aNodeThatTakesThePlaceOfALostOneIsAskedAndThoseThatStayAreNot() {
    ask(1, "ann", HOUR_S, 2 * HOUR_S, "select=2:ncpus=8");
    assertEquals("n1*1+n2*1", decide());
    load("PLUS_CANDIDATE_NODE.name == \"n4\" && size(PLUS_ALLOCATED_NODES) == 1");
    Reservation hurt = Reservation.newBuilder(reservations.get(1L)).build();
    hurt.setLost(List.of(new LostNode("n1", "down", NOW.toEpochMilli(), "")));
    state.facts().nodeDown("n1");
    tell(hurt);
    assertEquals("n2*1+n4*1", decide());
  }

  @Test
  void theSchedulersTextCountsBeforeTheServersAndAChangeIsHeard() {
    ClusterObject server = Records.object(ObjectKind.SERVER, "server");
    state.facts().written(with(server, "PLUS_NODE_RESERVABLE = false"));
    Reservation patient =
        SampleReservations.asked(1, spec("ann", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1"));
    patient.setInteractiveS(-60);
    tell(patient);
    assertEquals("", decide());
    assertEquals("", decide(), "it waits");
    load("true");
    assertEquals("n1*1", decide());
    state.facts().written(Records.scheduler());
    ask(2, "ann", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
    assertTrue(decide().startsWith("reservable.ad"));
    state.facts().written(server);
    ask(3, "ann", HOUR_S, 2 * HOUR_S, "select=1:ncpus=1");
    assertEquals("n1*1", decide());
  }
}
