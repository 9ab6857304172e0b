package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Conservative;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.StartAction;
import io.millrace.schemas.state.TransactionKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Decisions on reservations, and what jobs do beside and inside them. Two nodes of 8 cpus. */
class ReservationCycleTest extends ReservationCycleFixture {
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

  /** Where it has to, and as few as the first nodes with room have. */
  @Test
  void oneThatMayLieOverRunsTakesTheirNodesWhenThereAreNoOthers() {
    submit(7, "workq", "ncpus=1");
    assertEquals("7:n1*1", cycle());
    over(1, "select=1:ncpus=8");
    over(2, "select=1:ncpus=8");
    over(3, "select=1:ncpus=1");
    assertEquals("1:n2*1 2:n1*1", decide().replaceAll(" 3:too little .*", ""));
    submit(8, "workq", "ncpus=1,walltime=00:02:00");
    submit(9, "workq", "ncpus=1,walltime=00:01:00");
    assertEquals("9:n1*1", cycle(), "beside the run, but not into the window");
    start(2);
    submit(10, "R2", "ncpus=8");
    assertEquals("10:n1*1", cycle(), "its shard sees whether the run is gone");
  }

  @Test
  void aLostNodeIsReplacedByOneOnWhichOthersRun() {
    submit(7, "workq", "select=1:ncpus=8");
    assertEquals("7:n1*1", cycle());
    over(1, "select=1:ncpus=4");
    ask(2, 300, 400, "select=1:ncpus=4");
    assertEquals("1:n2*1 2:n2*1", decide());
    state.facts().nodeDown("n2");
    tell(SampleReservations.lost(of(1), "n2"));
    tell(SampleReservations.lost(of(2), "n2"));
    assertEquals("1:n1*1", decide(), "the other one lies over no run");
  }

  private void over(long number, String request) {
    ReservationSpec spec = SampleReservations.spec("pbs-default", at(100), at(200), request);
    spec.setOthers(new OthersAtStart(StartAction.REQUEUE, 0L));
    tell(SampleReservations.asked(number, spec));
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
  void aTransactionHoldsWhatItsReservationGivesUp() {
    reserve(1, 1000, 2000, "select=1:ncpus=8");
    List<BookedNode> first = List.of(new BookedNode("n1", Map.of("ncpus", 8L), false));
    ReservationTransaction open =
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.MODIFY)
            .setBy("u@h")
            .setOpenedMs(0)
            .setSpec(SampleReservations.spec("pbs-default", at(1000), at(3000), "ncpus=8"))
            .setBooked(first)
            .build();
    tell(SampleReservations.lost(Reservation.newBuilder(of(1)).setPending(open).build(), "n1"));
    ask(2, 1000, 2000, "select=1:ncpus=8");
    List<ReservationDecision> both = ReservationCycle.run(state, now, Long.MAX_VALUE);
    assertEquals("n2*1", nodes(both.get(0).shares()));
    assertFalse(both.get(1).confirms(), "n1 is still to be that of the first one");
    state.answers().refused(1);
    tell(Reservation.newBuilder(of(1)).setPending(null).setLost(List.of()).build());
    assertEquals("", decide());
    ask(3, 2000, 3000, "select=2:ncpus=8");
    assertEquals("3:n1*1+n2*1", decide());
  }

  @Test
  void aPromisedJobStartsWhenABookingThatIsOverIsGone() {
    begin(new Conservative());
    submit(7, "workq", "ncpus=1,walltime=100");
    assertEquals("7:n1*1", cycle());
    reserve(1, 110, 200, "select=2:ncpus=8");
    now = NOW.plusSeconds(300);
    submit(11, "workq", "ncpus=8,walltime=100");
    assertEquals("", cycle());
    assertEquals(1, state.promises().size());
    tell(SampleReservations.ended(of(1)));
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
