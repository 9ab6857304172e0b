package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Conservative;
import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.schemas.state.UsualOccurrence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decisions on reservations, and what jobs do beside and inside them. Two nodes of 8 cpus. */
class ReservationCycleTest {

  private static final long GB = 1L << 30;
  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private SchedulerState state;
  private Instant now = NOW;
  private final Map<Long, Reservation> reservations = new TreeMap<>();

  @BeforeEach
  void priority() {
    begin(new Priority());
  }

  private void begin(Policy policy) {
    state = new SchedulerState("default", 0, policy, 1000);
    state.facts().written(Records.scheduler());
    state.facts().written(Records.queue("workq"));
    node("n1");
    node("n2");
  }

  private void node(String name, String... pairs) {
    state.facts().written(Records.object(ObjectKind.NODE, name, pairs));
    state.facts().node(Records.node(name, "h" + name.substring(1), 8, 4 * GB));
  }

  private long at(int seconds) {
    return NOW.toEpochMilli() + 1000L * seconds;
  }

  private void tell(Reservation record) {
    reservations.put(record.getNumber(), record);
    state.facts().reservation(record);
  }

  private Reservation of(long number) {
    return reservations.get(number);
  }

  private void ask(long number, int fromS, int toS, String request) {
    tell(
        SampleReservations.asked(
            number, SampleReservations.spec("pbs-default", at(fromS), at(toS), request)));
  }

  /** Looks at reservations; confirms or denies what is proposed as a shard would. */
  private String decide() {
    List<ReservationDecision> decisions = ReservationCycle.run(state, now, Long.MAX_VALUE);
    for (ReservationDecision it : decisions) {
      Reservation before = of(it.number());
      assertEquals(before.getRevision(), it.revision());
      boolean isNew = before.getShares().isEmpty();
      if (it.confirms()) {
        tell(SampleReservations.confirmed(before, it.shares()));
      } else {
        tell(isNew ? SampleReservations.ended(before) : SampleReservations.asBefore(before));
      }
    }
    return decisions.stream()
        .map(it -> it.number() + ":" + (it.confirms() ? nodes(it.shares()) : it.why()))
        .collect(Collectors.joining(" "));
  }

  private void reserve(long number, int fromS, int toS, String request) {
    ask(number, fromS, toS, request);
    decide();
    assertFalse(of(number).getShares().isEmpty(), "R" + number);
  }

  private void start(long number) {
    now = Instant.ofEpochMilli(of(number).getSpec().getStartMs());
    tell(SampleReservations.begun(of(number), now.toEpochMilli()));
  }

  private static String nodes(List<NodeShare> shares) {
    return shares.stream()
        .map(it -> it.getNode() + "*" + it.getChunks())
        .collect(Collectors.joining("+"));
  }

  private void submit(long number, String queue, String request) {
    state.facts().job(Records.job(number, queue, 0, request));
  }

  private String cycle() {
    CycleDecisions decisions = Cycle.run(state, now, 1_000_000);
    decisions
        .starts()
        .forEach(
            it ->
                state
                    .facts()
                    .granted(it.jobNumber(), Records.allocation(it.shares()), now.toEpochMilli()));
    return decisions.starts().stream()
        .map(it -> it.jobNumber() + ":" + nodes(it.shares()))
        .collect(Collectors.joining(" "));
  }

  private String why() {
    List<ClassReason> reasons = state.reasons().take(10).reasons();
    return ReasonText.words(reasons.get(reasons.size() - 1), ResourceTable.standard());
  }

  @Test
  void aReservationGetsTheFirstNodesAndAnotherOneThoseThatAreLeft() {
    ask(1, 100, 200, "select=1:ncpus=8");
    ask(2, 150, 250, "select=1:ncpus=4");
    ask(3, 199, 300, "select=1:ncpus=4");
    ask(4, 199, 300, "select=1:ncpus=1");
    ask(5, 200, 300, "select=1:ncpus=8");
    assertEquals(
        "1:n1*1 2:n2*1 3:n2*1"
            + " 4:too little is free of runs and of other reservations throughout its time"
            + " 5:n1*1",
        decide());
    assertEquals("", decide());
  }

  @Test
  void whatIsProposedIsBookedUntilItIsAnswered() {
    ask(1, 100, 200, "select=2:ncpus=8");
    assertTrue(state.reservationsDue());
    ReservationCycle.run(state, now, Long.MAX_VALUE);
    assertFalse(state.reservationsDue());
    ask(2, 100, 200, "select=1:ncpus=1");
    assertTrue(decide().startsWith("2:too little"));
    submit(9, "workq", "ncpus=1,walltime=00:02:00");
    assertEquals("", cycle());
    state.answers().refused(1);
    assertFalse(state.reservationsDue());
    assertEquals("9:n1*1", cycle());
    state.answers().resumes(1);
    assertTrue(state.reservationsDue());
    assertTrue(decide().startsWith("1:too little"), "job 9 runs into its window");
  }

  @Test
  void nodesOnWhichARunReachesIntoTheWindowAreAvoided() {
    submit(7, "workq", "ncpus=1,walltime=00:01:40");
    submit(8, "workq", "select=1:ncpus=1,walltime=00:01:41,place=excl");
    assertEquals("7:n1*1 8:n2*1", cycle());
    ask(1, 100, 200, "select=1:ncpus=8");
    assertEquals("1:n1*1", decide());
    ask(2, 100, 200, "select=1:ncpus=1");
    assertTrue(decide().startsWith("2:too little"));
  }

  @Test
  void aRunWithoutEndIsAvoidedForEver() {
    submit(7, "workq", "select=2:ncpus=8");
    assertEquals("7:n1*1+n2*1", cycle());
    ask(1, 1_000_000, 1_000_100, "select=1:ncpus=1");
    assertTrue(decide().startsWith("1:too little"));
  }

  @Test
  void moreThanThereEverIsNamesTheResource() {
    ask(1, 100, 200, "select=3:ncpus=8");
    ask(2, 100, 200, "select=1:ncpus=9");
    ask(3, 100, 200, "select=3:ncpus=1,place=scatter");
    assertEquals(
        "1:the nodes of partition pbs-default never have that much of ncpus"
            + " 2:no node of partition pbs-default is ever large enough for a chunk"
            + " 3:the nodes of partition pbs-default never fit its chunks and their place",
        decide());
  }

  @Test
  void nodesThatMayNotBeReservedAndThoseOfAQueueAreLeftOut() {
    node("n1", "resv_enable", "False");
    node("n2", "queue", "workq");
    ask(1, 100, 200, "select=1:ncpus=1");
    assertTrue(decide().startsWith("1:too little"));
  }

  @Test
  void aReservationOfAnotherPartitionIsNoConcern() {
    tell(
        SampleReservations.asked(
            1, SampleReservations.spec("P9", at(100), at(200), "select=1:ncpus=1")));
    assertFalse(state.reservationsDue());
    assertEquals("", decide());
  }

  @Test
  void nothingIsDecidedWhileSchedulingIsOff() {
    state.facts().written(Records.object(ObjectKind.SCHEDULER, "default", "scheduling", "False"));
    ask(1, 100, 200, "select=1:ncpus=1");
    assertFalse(state.reservationsDue());
    assertEquals("", decide());
    state.facts().written(Records.scheduler());
    assertTrue(state.reservationsDue());
    assertEquals("1:n1*1", decide());
  }

  @Test
  void aNegativeIntervalWaitsForRoom() {
    submit(7, "workq", "select=2:ncpus=8");
    cycle();
    tell(
        Reservation.newBuilder(
                SampleReservations.asked(
                    1,
                    SampleReservations.spec("pbs-default", at(100), at(200), "select=1:ncpus=1")))
            .setInteractiveS(-60L)
            .build());
    assertEquals("", decide());
    assertFalse(state.reservationsDue());
    state.facts().gone(7);
    assertTrue(state.reservationsDue());
    assertEquals("1:n1*1", decide());
  }

  @Test
  void whoWantsToKnowAtOnceDoesNotWaitForRoom() {
    submit(7, "workq", "select=2:ncpus=8");
    cycle();
    tell(
        Reservation.newBuilder(
                SampleReservations.asked(
                    1,
                    SampleReservations.spec("pbs-default", at(100), at(200), "select=1:ncpus=1")))
            .setInteractiveS(-60L)
            .setAtOnce(true)
            .build());
    assertTrue(decide().startsWith("1:"), "it is denied");
  }

  @Test
  void whatATransactionHoldsKeepsJobsAwayToo() {
    reserve(1, 1000, 2000, "select=1:ncpus=8");
    Reservation now = of(1);
    ReservationSpec then =
        SampleReservations.spec("pbs-default", at(100), at(3000), "select=2:ncpus=8");
    ReservationTransaction open =
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.MODIFY)
            .setBy("u@h")
            .setOpenedMs(0)
            .setSpec(then)
            .setBooked(
                List.of(
                    new BookedNode("n1", Map.of("ncpus", 8L), false),
                    new BookedNode("n2", Map.of("ncpus", 8L), false)))
            .build();
    submit(11, "workq", "ncpus=8,walltime=00:01:41");
    tell(Reservation.newBuilder(now).setPending(open).build());
    assertEquals("", cycle());
    tell(now);
    assertEquals("11:n1*1", cycle());
  }

  @Test
  void aJobStartsWhereItEndsBeforeTheBookingOrFitsBesideIt() {
    reserve(1, 100, 200, "select=2:ncpus=6");
    submit(11, "workq", "ncpus=8,walltime=00:01:40");
    submit(12, "workq", "ncpus=8,walltime=00:01:41");
    submit(13, "workq", "ncpus=2,walltime=10:00:00");
    submit(14, "workq", "ncpus=3,walltime=10:00:00");
    assertEquals("11:n1*1 13:n2*1", cycle());
  }

  @Test
  void aJobWithoutWalltimeStartsOnNoNodeWithABookingAhead() {
    reserve(1, 10_000_000, 10_000_100, "select=1:ncpus=1");
    submit(11, "workq", "ncpus=1");
    assertEquals("11:n2*1", cycle());
    submit(12, "workq", "ncpus=8");
    assertEquals("", cycle());
    assertEquals(
        "Reservation R1 has booked nodes on which it could run otherwise until "
            + Instant.ofEpochMilli(at(10_000_100))
            + ".",
        why());
    tell(SampleReservations.ended(of(1)));
    assertEquals("12:n1*1", cycle());
  }

  @Test
  void anExclusiveBookingLeavesNothingAndAnExclusiveJobNeedsTheWholeNode() {
    reserve(1, 100, 200, "select=1:ncpus=1,place=excl");
    reserve(2, 100, 200, "select=1:ncpus=1");
    submit(11, "workq", "select=1:ncpus=1,walltime=00:10:00,place=excl");
    submit(12, "workq", "ncpus=1,walltime=00:10:00");
    assertEquals("12:n2*1", cycle());
  }

  @Test
  void aPromiseGoesAroundABooking() {
    begin(new Easy());
    submit(7, "workq", "select=2:ncpus=8,walltime=50");
    assertEquals("7:n1*1+n2*1", cycle());
    reserve(1, 100, 200, "select=1:ncpus=8");
    submit(11, "workq", "select=2:ncpus=8,walltime=60");
    assertEquals("", cycle());
    assertEquals(at(200), state.promises().get(0).fromMs());
    submit(12, "workq", "select=1:ncpus=8,walltime=50");
    assertEquals("", cycle());
  }

  @Test
  void aPromiseThatMovesForAReservationSaysForWhich() {
    begin(new Conservative());
    submit(7, "workq", "select=2:ncpus=8,walltime=50");
    cycle();
    submit(11, "workq", "select=2:ncpus=8,walltime=60");
    cycle();
    assertEquals(at(50), state.promises().get(0).fromMs());
    state.reasons().take(10);
    reserve(1, 100, 200, "select=1:ncpus=1");
    cycle();
    assertEquals(at(200), state.promises().get(0).fromMs());
    assertEquals(
        "Reservation R1 has booked nodes on which it could run otherwise until "
            + Instant.ofEpochMilli(at(200))
            + ".",
        why());
    tell(SampleReservations.ended(of(1)));
    cycle();
    assertEquals(at(50), state.promises().get(0).fromMs());
  }

  @Test
  void jobsOfARunningReservationHaveItsShareAndNobodyElse() {
    reserve(1, 100, 200, "select=1:ncpus=6");
    submit(21, "R1", "ncpus=4");
    submit(22, "R1", "ncpus=2,walltime=10:00:00");
    submit(23, "R1", "ncpus=1");
    assertEquals("", cycle());
    assertEquals(
        "It waits for its reservation R1 to begin at " + Instant.ofEpochMilli(at(100)) + ".",
        why());
    start(1);
    submit(31, "workq", "ncpus=3,walltime=10");
    submit(32, "workq", "ncpus=2,walltime=10");
    assertEquals("21:n1*1 22:n1*1 31:n2*1 32:n1*1", cycle());
    state.facts().gone(21);
    assertEquals("23:n1*1", cycle());
    state.facts().gone(32);
    submit(33, "workq", "ncpus=8,walltime=10");
    assertEquals("", cycle());
    state.facts().gone(22);
    state.facts().gone(23);
    tell(SampleReservations.ended(of(1)));
    assertEquals("33:n1*1", cycle());
  }

  @Test
  void jobsThatRanBeforeTheEngineAreInTheReservation() {
    reserve(1, 100, 200, "select=1:ncpus=6");
    start(1);
    submit(21, "R1", "ncpus=4");
    assertEquals("21:n1*1", cycle());
    submit(22, "R1", "ncpus=4");
    assertEquals("", cycle());
    submit(31, "workq", "select=2:ncpus=2,place=scatter,walltime=10");
    assertEquals("31:n1*1+n2*1", cycle());
  }

  @Test
  void nobodyOutsidePreemptsAJobInside() {
    state.facts().written(Records.object(ObjectKind.SERVER, "server", "sched_preempt_enable", "1"));
    state
        .facts()
        .written(Records.object(ObjectKind.QUEUE, "express", "started", "True", "Priority", "200"));
    reserve(1, 100, 1000, "select=2:ncpus=8");
    start(1);
    submit(21, "R1", "select=2:ncpus=8");
    assertEquals("21:n1*1+n2*1", cycle());
    submit(31, "express", "ncpus=1,walltime=10");
    CycleDecisions decisions = Cycle.run(state, now, 1_000_000);
    assertTrue(decisions.preempted().isEmpty());
    assertTrue(decisions.starts().isEmpty());
  }

  @Test
  void aLostNodeIsReplacedAtOnceOrWhenThereIsRoom() {
    node("n3");
    reserve(1, 100, 200, "select=2:ncpus=8,place=scatter");
    submit(7, "workq", "ncpus=1,walltime=00:03:00");
    assertEquals("7:n3*1", cycle());
    tell(SampleReservations.lost(of(1), "n1"));
    assertEquals("", decide());
    assertFalse(state.reservationsDue());
    state.facts().gone(7);
    assertTrue(state.reservationsDue());
    assertEquals("1:n2*1+n3*1", decide());
    submit(8, "workq", "ncpus=8");
    assertEquals("8:n1*1", cycle());
  }

  @Test
  void aNodeWithRunningJobsIsLeftToTheReservation() {
    node("n3");
    reserve(1, 100, 200, "select=2:ncpus=8,place=scatter");
    start(1);
    submit(21, "R1", "ncpus=8");
    assertEquals("21:n1*1", cycle());
    tell(SampleReservations.lost(of(1), "n1", "n2"));
    assertEquals("1:n1*1+n3*1", decide());
    submit(22, "R1", "ncpus=8");
    assertEquals("22:n3*1", cycle());
  }

  @Test
  void eachOccurrenceLiesWhereThereIsRoom() {
    reserve(1, 300, 400, "select=1:ncpus=8");
    ReservationSpec spec =
        SampleReservations.spec("pbs-default", at(100), at(150), "select=1:ncpus=8");
    spec.setRule("FREQ=MINUTELY;COUNT=4");
    spec.setLaterMs(List.of(at(200), at(350), at(500)));
    tell(SampleReservations.asked(2, spec));
    ReservationDecision made = ReservationCycle.run(state, now, Long.MAX_VALUE).get(0);
    assertEquals("n1*1", nodes(made.shares()));
    assertEquals(
        List.of("n1*1", "n2*1"),
        made.later().placements().stream().map(ReservationCycleTest::nodes).toList());
    assertEquals(List.of(0, 1, 1), made.later().lies());
    submit(20, "workq", "ncpus=8,walltime=00:06:00");
    assertEquals("", cycle());
    tell(
        SampleReservations.confirmed(
            of(2), made.shares(), made.later().placements(), made.later().lies()));
    submit(21, "workq", "ncpus=8,walltime=00:05:00");
    assertEquals("21:n2*1", cycle());
    start(2);
    submit(23, "R2", "ncpus=8");
    assertEquals("23:n1*1", cycle());
    state.facts().gone(23);
    now = now.plusSeconds(50);
    tell(SampleReservations.returned(of(2)));
    submit(24, "R2", "ncpus=8");
    submit(25, "workq", "ncpus=8,walltime=00:00:50");
    assertEquals("25:n1*1", cycle());
    tell(SampleReservations.ended(of(2)));
    state.facts().gone(25);
    submit(26, "workq", "ncpus=8,walltime=00:02:30");
    assertEquals("26:n1*1", cycle());
  }

  /** The node of the next one is free in its window; that of the last one only then, too. */
  private void standing() {
    reserve(1, 200, 250, "select=1:ncpus=8");
    ReservationSpec spec =
        SampleReservations.spec("pbs-default", at(100), at(150), "select=1:ncpus=8");
    spec.setRule("FREQ=MINUTELY;COUNT=2");
    spec.setLaterMs(List.of(at(200)));
    tell(SampleReservations.asked(2, spec));
    ReservationDecision made = ReservationCycle.run(state, now, Long.MAX_VALUE).get(0);
    assertEquals(List.of("n2*1"), made.later().placements().stream().map(it -> nodes(it)).toList());
    tell(
        SampleReservations.confirmed(
            of(2), made.shares(), made.later().placements(), made.later().lies()));
  }

  @Test
  void laterOccurrencesStayBookedWhenAReplacementIsRefusedOrNotAnswered() {
    standing();
    start(2);
    for (boolean answered : List.of(true, false)) {
      tell(SampleReservations.lost(of(2), "n1"));
      assertEquals("n2*1", nodes(ReservationCycle.run(state, now, Long.MAX_VALUE).get(0).shares()));
      if (answered) {
        state.answers().refused(2);
        state.answers().resumes(2);
      } else {
        state.answers().unanswered(2);
      }
      submit(9, "workq", "ncpus=8,walltime=00:02:00");
      assertEquals("", cycle(), "its second occurrence is on n2");
      state.facts().gone(9);
      assertTrue(state.reservationsDue());
    }
    submit(10, "workq", "ncpus=8,walltime=00:01:40");
    assertEquals("10:n2*1", cycle());
  }

  @Test
  void laterOccurrencesAreAsLongAsBeforeWhenOneAloneIsAltered() {
    standing();
    ReservationSpec before = of(2).getSpec();
    ReservationSpec shorter = ReservationSpec.newBuilder(before).setEndMs(at(110)).build();
    long usualMs = before.getEndMs() - before.getStartMs();
    tell(
        Reservation.newBuilder(of(2))
            .setSpec(shorter)
            .setUsual(new UsualOccurrence(usualMs, before.getRequest(), before.getResourceList()))
            .build());
    ReservationSpec wish =
        SampleReservations.spec("pbs-default", at(215), at(240), "select=1:ncpus=8");
    tell(SampleReservations.asked(3, wish));
    assertTrue(decide().startsWith("3:too little"), "n2 has its second occurrence until 250");
  }

  @Test
  void nothingOfANewStandingReservationStaysBookedWhenItIsRefused() {
    ReservationSpec spec =
        SampleReservations.spec("pbs-default", at(100), at(150), "select=2:ncpus=8");
    spec.setRule("FREQ=MINUTELY;COUNT=2");
    spec.setLaterMs(List.of(at(200)));
    tell(SampleReservations.asked(2, spec));
    ReservationCycle.run(state, now, Long.MAX_VALUE);
    submit(9, "workq", "ncpus=8,walltime=00:04:00");
    assertEquals("", cycle());
    state.answers().refused(2);
    assertEquals("9:n1*1", cycle());
  }

  /** What one of its occurrences has no room for is not confirmed at all. */
  @Test
  void allOccurrencesHaveRoomOrNone() {
    reserve(1, 300, 400, "select=2:ncpus=8");
    ReservationSpec spec =
        SampleReservations.spec("pbs-default", at(100), at(150), "select=1:ncpus=8");
    spec.setRule("FREQ=MINUTELY;COUNT=2");
    spec.setLaterMs(List.of(at(350)));
    tell(SampleReservations.asked(2, spec));
    assertTrue(decide().startsWith("2:too little"));
    submit(20, "workq", "ncpus=8,walltime=00:05:00");
    assertEquals("20:n1*1", cycle(), "nothing is left booked");
  }

  /** A node under maintenance is out for the jobs inside, too; what runs there goes on. */
  @Test
  void aReservationInConflictLooksForAnotherNode() {
    node("n3");
    reserve(1, 100, 200, "select=2:ncpus=8,place=scatter");
    start(1);
    submit(21, "R1", "ncpus=1");
    assertEquals("21:n1*1", cycle());
    tell(SampleReservations.maintained(3, at(120), at(150), "n1"));
    tell(SampleReservations.taken(of(1), "n1"));
    submit(22, "R1", "ncpus=1");
    submit(23, "workq", "ncpus=8,walltime=00:10:00");
    assertEquals("22:n2*1 23:n3*1", cycle());
    assertEquals("", decide());
    state.facts().gone(21);
    state.facts().gone(23);
    assertEquals("1:n2*1+n3*1", decide());
  }

  @Test
  void anAlterationKeepsItsNodesWhereTheyAreFree() {
    reserve(1, 100, 200, "select=1:ncpus=8");
    reserve(2, 200, 300, "select=1:ncpus=8");
    assertEquals("n1*1", nodes(of(2).getShares()));
    tell(
        SampleReservations.altered(
            of(1), SampleReservations.spec("pbs-default", at(150), at(250), "select=1:ncpus=8")));
    assertEquals("1:n2*1", decide());
    tell(
        SampleReservations.altered(
            of(1), SampleReservations.spec("pbs-default", at(210), at(220), "select=1:ncpus=8")));
    assertEquals("1:n2*1", decide());
    tell(
        SampleReservations.altered(
            of(1), SampleReservations.spec("pbs-default", at(210), at(220), "select=1:ncpus=4")));
    assertEquals("1:n2*1", decide());
  }

  @Test
  void fewerChunksLeaveTheNodesOnWhichItsJobsRun() {
    reserve(1, 100, 200, "select=2:ncpus=8");
    start(1);
    submit(21, "R1", "ncpus=1");
    submit(22, "R1", "ncpus=8");
    assertEquals("21:n1*1 22:n2*1", cycle());
    state.facts().gone(21);
    tell(
        SampleReservations.altered(
            of(1), SampleReservations.spec("pbs-default", at(100), at(200), "select=1:ncpus=8")));
    assertEquals("1:n2*1", decide());
    submit(31, "workq", "ncpus=8,walltime=1000");
    assertEquals("31:n1*1", cycle());
    assertEquals("n2*1", nodes(of(1).getShares()));
  }

  @Test
  void aWindowThatIsMovedIntoTheFutureGivesItsNodesBack() {
    reserve(1, 100, 200, "select=2:ncpus=8");
    start(1);
    submit(31, "workq", "ncpus=8,walltime=50");
    assertEquals("", cycle());
    Reservation moved =
        Reservation.newBuilder(of(1))
            .setSpec(SampleReservations.spec("pbs-default", at(200), at(300), "select=2:ncpus=8"))
            .setStartedMs(-1L)
            .build();
    tell(moved);
    submit(21, "R1", "ncpus=8");
    submit(32, "workq", "ncpus=8,walltime=101");
    assertEquals("31:n1*1", cycle());
  }

  @Test
  void aLongerTimeIsRefusedWhereAnotherReservationFollows() {
    reserve(1, 100, 200, "select=1:ncpus=8");
    reserve(2, 200, 300, "select=2:ncpus=8");
    tell(
        SampleReservations.altered(
            of(1), SampleReservations.spec("pbs-default", at(100), at(201), "select=1:ncpus=8")));
    assertTrue(decide().startsWith("1:its nodes are not free"));
    assertEquals("", decide());
    submit(11, "workq", "ncpus=8,walltime=101");
    assertEquals("11:n2*1", cycle());
  }

  @Test
  void decisionsAreBoundedByUnitsOfWork() {
    for (int i = 1; i <= 10; i++) {
      ask(i, 100 * i, 100 * i + 100, "select=2:ncpus=8");
    }
    int rounds = 0;
    int decided = 0;
    while (state.reservationsDue()) {
      List<ReservationDecision> some = ReservationCycle.run(state, now, 5);
      assertTrue(some.size() <= 2);
      decided += some.size();
      assertTrue(rounds++ < 20);
    }
    assertEquals(10, decided);
  }
}
