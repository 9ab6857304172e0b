package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.UsualOccurrence;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reservations that lose a node, are altered, or come again and again. */
class AlteredReservationCycleTest extends ReservationCycleFixture {
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

  /** It is replaced afterwards; for longer, or once more, nothing is kept that is lost. */
  @Test
  void whatHasLostANodeMayBeMadeShorter() {
    reserve(1, 100, 200, "select=2:ncpus=8,place=scatter");
    start(1);
    down("n1");
    assertEquals("", decide());
    tell(
        SampleReservations.altered(
            of(1),
            SampleReservations.spec(
                "pbs-default", at(100), at(150), "select=2:ncpus=8,place=scatter")));
    assertEquals("1:n2*1+n1*1", decide());
    tell(
        SampleReservations.altered(
            of(1),
            SampleReservations.spec(
                "pbs-default", at(100), at(250), "select=2:ncpus=8,place=scatter")));
    assertTrue(decide().startsWith("1:its nodes are not free"));
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

  /** Its jobs may have of some resources what the reservation has not asked for. */
  @Test
  void fewerChunksAreEnoughForJobsThatHaveMoreThanTheyTake() {
    reserve(1, 100, 200, "select=2:ncpus=8");
    start(1);
    submit(21, "R1", "select=1:ncpus=1:mpiprocs=2");
    assertEquals("21:n1*1", cycle());
    tell(
        SampleReservations.altered(
            of(1), SampleReservations.spec("pbs-default", at(100), at(200), "select=1:ncpus=8")));
    assertEquals("1:n1*1", decide());
  }

  /** No node runs short of some resources, also when two reservations have them. */
  @Test
  void aReservationWithJobsGrowsBesideAnotherOne() {
    String request = "select=1:ncpus=1:mpiprocs=2";
    reserve(1, 100, 200, request);
    reserve(2, 150, 300, request);
    start(1);
    submit(21, "R1", request);
    assertEquals("21:n1*1", cycle());
    ReservationSpec longer = SampleReservations.spec("pbs-default", at(100), at(250), request);
    tell(SampleReservations.altered(of(1), longer));
    assertEquals("1:n1*1", decide());
  }

  /** The node of the first reservation is down, as everybody is told. */
  private void down(String name) {
    Node down = Records.node(name, "h" + name.substring(1), 8, 4 * GB);
    down.setUp(false);
    state.facts().node(down);
    tell(SampleReservations.lost(of(1), name));
  }

  @Test
  void fewerChunksOfSeveralKinds() {
    List.of("n3", "n4", "n5").forEach(this::node);
    String all = "2:ncpus=1:mem=1gb+4:ncpus=1:mem=2gb+2:ncpus=1:mem=3gb";
    reserve(1, 100, 200, "select=" + all);
    assertEquals("n1*2+n1*1+n2*2+n3*1+n4*1+n5*1", nodes(of(1).getShares()));
    String some = "1:ncpus=1:mem=1gb+2:ncpus=1:mem=2gb+1:ncpus=1:mem=3gb";
    assertEquals("1:n1*1+n1*1+n2*1+n4*1", fewer(some));
    start(1);
    assertEquals("1:n1*1+n2*1", fewer("2:ncpus=1:mem=2gb"));
    assertEquals("1:n1*1", fewer("1:ncpus=1:mem=2gb"));
    submit(31, "workq", "select=1:ncpus=1:mem=4gb,walltime=1000");
    assertEquals("31:n2*1", cycle(), "what was given back is there for others");
  }

  /** What is decided when it is to have these chunks in the same time. */
  private String fewer(String select) {
    tell(
        SampleReservations.altered(
            of(1), SampleReservations.spec("pbs-default", at(100), at(200), "select=" + select)));
    return decide();
  }

  /** As in PBS: nodes that cannot be used go first, and that of a job is kept. */
  @Test
  void fewerChunksGiveTheLostNodesBackFirst() {
    node("n3");
    reserve(1, 100, 200, "select=3:ncpus=8");
    start(1);
    down("n1");
    ReservationSpec two =
        SampleReservations.spec("pbs-default", at(100), at(200), "select=2:ncpus=8");
    tell(SampleReservations.altered(of(1), two));
    assertEquals("1:n2*1+n3*1", decide());
    submit(21, "R1", "ncpus=8");
    submit(22, "R1", "ncpus=8");
    assertEquals("21:n2*1 22:n3*1", cycle());
    state.facts().gone(21);
    down("n2");
    ReservationSpec one =
        SampleReservations.spec("pbs-default", at(100), at(200), "select=1:ncpus=8");
    tell(SampleReservations.altered(of(1), one));
    assertEquals("1:n3*1", decide());
  }

  /** What its jobs use is not given back, so there is no room for less. */
  @Test
  void fewerChunksThanItsJobsUseAreRefused() {
    reserve(1, 100, 200, "select=2:ncpus=8");
    start(1);
    submit(21, "R1", "ncpus=1");
    submit(22, "R1", "ncpus=8");
    assertEquals("21:n1*1 22:n2*1", cycle());
    ReservationSpec one =
        SampleReservations.spec("pbs-default", at(100), at(200), "select=1:ncpus=8");
    tell(SampleReservations.altered(of(1), one));
    assertTrue(decide().startsWith("1:its nodes are not free"), "both have a job");
    state.facts().gone(21);
    tell(SampleReservations.altered(of(1), one));
    assertEquals("1:n2*1", decide());
  }

  /** One that has lost a node may get another window where there are others, and none otherwise. */
  @Test
  void aDegradedOneIsAlteredOnNodesThatCanBeUsed() {
    reserve(1, 100, 200, "select=1:ncpus=8");
    down("n1");
    ReservationSpec later =
        SampleReservations.spec("pbs-default", at(150), at(250), "select=1:ncpus=8");
    tell(SampleReservations.altered(of(1), later));
    assertEquals("1:n2*1", decide());
    down("n2");
    ReservationSpec longer =
        SampleReservations.spec("pbs-default", at(150), at(251), "select=1:ncpus=8");
    tell(SampleReservations.altered(of(1), longer));
    assertTrue(decide().startsWith("1:its nodes are not free"));
  }

  @Test
  void anAlterationStaysInOnePlacementSet() {
    state.facts().written(Records.rack());
    for (String name : List.of("n1", "n2", "n3")) {
      node(name, "resources_available.rack", name.equals("n3") ? "b" : "a");
    }
    server("node_group_key", "rack", "node_group_enable", "True");
    reserve(1, 100, 200, "select=2:ncpus=8");
    assertEquals("n1*1+n2*1", nodes(of(1).getShares()));
    reserve(2, 300, 400, "select=1:ncpus=8:rack=a");
    assertEquals("n1*1", nodes(of(2).getShares()));
    ReservationSpec longer =
        SampleReservations.spec("pbs-default", at(100), at(350), "select=2:ncpus=8");
    tell(SampleReservations.altered(of(1), longer));
    assertTrue(decide().startsWith("1:its nodes are not free"), "n2 and n3 are of two sets");
    server("node_group_enable", "False");
    tell(SampleReservations.altered(of(1), longer));
    assertEquals("1:n2*1+n3*1", decide());
  }

  private void server(String... pairs) {
    state.facts().written(Records.object(ObjectKind.SERVER, "server", pairs));
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
}
