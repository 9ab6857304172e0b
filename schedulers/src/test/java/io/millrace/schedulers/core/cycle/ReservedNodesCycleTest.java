package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Conservative;
import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schedulers.core.policy.StrictOrdering;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs beside reservations, and in them. */
class ReservedNodesCycleTest extends ReservationCycleFixture {
  private static final int NODES = 40;

  private String why() {
    List<ClassReason> reasons = state.reasons().take(10).reasons();
    return ReasonText.words(reasons.get(reasons.size() - 1), ResourceTable.standard());
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

  /** A node that gives itself to nobody alone is had alone by those who maintain it. */
  @Test
  void nobodyRunsOnANodeUnderMaintenanceWhateverItSaysOfSharing() {
    node("n1", "sharing", "ignore_excl");
    node("n2", "state", "offline");
    tell(SampleReservations.maintained(3, at(100), at(200), "n1"));
    submit(11, "workq", "select=1:ncpus=0:mem=1gb,walltime=00:02:00");
    assertEquals("", cycle(), "it would last into the window");
    start(3);
    submit(12, "workq", "select=1:ncpus=0:mem=1gb,walltime=00:01:00");
    assertEquals("", cycle(), "in the window");
    now = NOW.plusSeconds(200);
    tell(SampleReservations.ended(of(3)));
    assertEquals("11:n1*1 12:n1*1", cycle());
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

  /** One of its nodes then has no room at the time that was promised before. */
  @Test
  void aPromiseComesForwardToANodeThatIsBookedForLater() {
    begin(new StrictOrdering(2));
    node("n3");
    submit(7, "workq", "ncpus=8,walltime=50");
    submit(8, "workq", "ncpus=8,walltime=300");
    submit(9, "workq", "ncpus=8,walltime=300");
    assertEquals("7:n1*1 8:n2*1 9:n3*1", cycle());
    reserve(1, 200, 400, "select=1:ncpus=8");
    assertEquals("n1*1", nodes(of(1).getShares()));
    submit(11, "workq", "select=2:ncpus=8,walltime=60");
    cycle();
    assertEquals(at(300), state.promises().get(0).fromMs());
    state.facts().gone(8);
    cycle();
    assertEquals(at(50), state.promises().get(0).fromMs());
    assertEquals("n1*1+n2*1", nodes(state.promises().get(0).shares()));
  }

  @Test
  void aPromiseComesForwardToTheEndOfABooking() {
    begin(new StrictOrdering(2));
    submit(7, "workq", "ncpus=4,walltime=500");
    submit(8, "workq", "ncpus=8,walltime=600");
    assertEquals("7:n1*1 8:n2*1", cycle());
    reserve(1, 100, 200, "select=1:ncpus=4");
    submit(11, "workq", "ncpus=6,walltime=150");
    cycle();
    assertEquals(at(500), state.promises().get(0).fromMs());
    state.facts().gone(7);
    assertEquals("", cycle());
    assertEquals(at(200), state.promises().get(0).fromMs());
  }

  /** What a search found out about promises is not lost for a booking within their time. */
  @Test
  void theEndOfARunCostsNoMoreBesideABooking() {
    long without = unitsAfterAnEnd(false);
    long beside = unitsAfterAnEnd(true);
    assertTrue(4 * beside < 5 * without, beside + " instead of " + without);
  }

  private long unitsAfterAnEnd(boolean booked) {
    begin(new StrictOrdering(NODES));
    for (int i = 3; i <= NODES; i++) {
      node("n" + i);
    }
    for (int i = 1; i <= NODES; i++) {
      submit(100 + i, "workq", "ncpus=7,walltime=" + (1000 + 10 * i));
    }
    cycle();
    if (booked) {
      reserve(1, 500, 600, "select=1:ncpus=1");
    }
    for (int i = 1; i <= NODES / 2; i++) {
      submit(200 + i, "workq", "select=4:ncpus=8,walltime=" + (100 + i));
    }
    cycle();
    cycle();
    assertEquals(NODES / 2, state.promises().size());
    state.facts().gone(100 + NODES);
    return Cycle.run(state, now, Long.MAX_VALUE).work().units();
  }

  /** The other node is not of the job's queue; it only has to stay free. */
  @Test
  void aPromiseOfAWholeHostGoesAroundABookingOfItsOtherNode() {
    begin(new Conservative());
    state.facts().written(Records.queue("q1"));
    node("n1", "queue", "q1");
    state.facts().written(Records.object(ObjectKind.NODE, "n3"));
    state.facts().node(Records.node("n3", "h1", 8, 4 * GB));
    submit(7, "q1", "ncpus=8,walltime=50");
    assertEquals("7:n1*1", cycle());
    submit(11, "q1", "select=1:ncpus=8,walltime=60,place=exclhost");
    cycle();
    assertEquals("n1*1+n3*0", nodes(state.promises().get(0).shares()));
    assertEquals(at(50), state.promises().get(0).fromMs());
    reserve(1, 100, 200, "select=2:ncpus=8,place=scatter");
    assertEquals("n2*1+n3*1", nodes(of(1).getShares()));
    cycle();
    assertEquals(at(200), state.promises().get(0).fromMs());
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

  /** They end with it, whatever their walltime and whether they share the node. */
  @Test
  void jobsInsideLeaveTheTimeBehindItToOthers() {
    reserve(1, 100, 200, "select=1:ncpus=8,place=excl");
    reserve(2, 100, 200, "select=1:ncpus=8");
    start(1);
    start(2);
    submit(21, "R1", "select=1:ncpus=8,place=excl");
    submit(22, "R2", "ncpus=8,walltime=10:00:00");
    assertEquals("21:n1*1 22:n2*1", cycle());
    ask(3, 200, 300, "select=2:ncpus=8,place=excl");
    assertEquals("3:n1*1+n2*1", decide());
    ask(4, 199, 200, "select=1:ncpus=1");
    assertTrue(decide().startsWith("4:too little"));
  }

  @Test
  void theEndOfOneLeavesTheBookingsOfOthers() {
    reserve(1, 100, 200, "select=1:ncpus=1");
    reserve(2, 300, 1000, "select=2:ncpus=8");
    start(1);
    submit(21, "R1", "ncpus=1,walltime=10");
    submit(22, "R1", "ncpus=1,walltime=10");
    submit(31, "workq", "ncpus=1,walltime=02:00:00");
    assertEquals("21:n1*1", cycle());
    now = Instant.ofEpochMilli(at(200));
    state.facts().gone(21);
    state.facts().gone(22);
    tell(SampleReservations.ended(of(1)));
    assertEquals("", cycle());
    submit(32, "workq", "ncpus=1,walltime=100");
    assertEquals("32:n1*1", cycle());
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
  void noJobInsideStartsOnANodeThatIsLost() {
    reserve(1, 100, 200, "select=2:ncpus=6,place=scatter");
    start(1);
    tell(SampleReservations.lost(of(1), "n1"));
    submit(21, "R1", "ncpus=4");
    submit(22, "R1", "ncpus=4");
    assertEquals("21:n2*1", cycle());
    submit(31, "workq", "ncpus=3,walltime=10");
    assertEquals("", cycle(), "its part stays its own");
    tell(found(1));
    assertEquals("22:n1*1", cycle());
  }

  /** Maintenance has nodes of several partitions. */
  @Test
  void jobsInsideHearOfANodeOfAnotherPartition() {
    reserve(1, 100, 200, "select=1:ncpus=6");
    start(1);
    node("n1", "partition", "p1", "state", "offline");
    submit(21, "R1", "ncpus=4");
    assertEquals("", cycle());
    node("n1", "partition", "p1", "state", "free");
    assertEquals("21:n1*1", cycle());
  }

  /** The node is there again. */
  private Reservation found(long number) {
    return Reservation.newBuilder(of(number))
        .setRevision(of(number).getRevision() + 1)
        .setLost(List.of())
        .setState(ReservationState.RUNNING)
        .build();
  }

  /** They end with it: whoever would begin then has no time of his own, until it is longer. */
  @Test
  void nothingInsideIsPromisedForItsEndOrLater() {
    begin(new Conservative());
    reserve(1, 100, 300, "select=1:ncpus=8");
    start(1);
    submit(21, "R1", "ncpus=8,walltime=150");
    submit(22, "R1", "ncpus=8,walltime=150");
    submit(23, "R1", "ncpus=8,walltime=150");
    assertEquals("21:n1*1", cycle());
    assertEquals(List.of(at(250)), dated());
    tell(moved(1, 450));
    cycle();
    assertEquals(List.of(at(250), at(400)), dated());
    tell(moved(1, 250));
    cycle();
    assertEquals(List.of(), dated());
  }

  private List<Long> dated() {
    return state.promises().stream().filter(Promise::dated).map(Promise::fromMs).toList();
  }

  /** The reservation with another end. */
  private Reservation moved(long number, int toS) {
    ReservationSpec spec =
        ReservationSpec.newBuilder(of(number).getSpec()).setEndMs(at(toS)).build();
    return Reservation.newBuilder(of(number))
        .setRevision(of(number).getRevision() + 1)
        .setSpec(spec)
        .build();
  }

  @Test
  void aPromiseInsideLeavesANodeThatIsLost() {
    begin(new Conservative());
    reserve(1, 100, 1000, "select=2:ncpus=6,place=scatter");
    start(1);
    submit(21, "R1", "ncpus=6,walltime=100");
    submit(22, "R1", "ncpus=6,walltime=200");
    assertEquals("21:n1*1 22:n2*1", cycle());
    submit(23, "R1", "ncpus=6,walltime=10");
    assertEquals("", cycle());
    assertEquals(at(200), state.promises().get(0).fromMs());
    tell(SampleReservations.lost(of(1), "n1"));
    assertEquals("", cycle());
    assertEquals(at(300), state.promises().get(0).fromMs());
    assertEquals("n2*1", nodes(state.promises().get(0).shares()));
  }
}
