package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When reservations lie that are to be as soon as possible. Two nodes of 8 cpus. */
class SoonestCycleTest {

  private static final long GB = 1L << 30;
  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);
  private static final int LATEST_S = 100_000;

  private final SchedulerState state = new SchedulerState("default", 0, new Priority(), 1000);

  @BeforeEach
  void nodes() {
    state.facts().written(Records.scheduler());
    state.facts().written(Records.queue("workq"));
    for (String name : List.of("n1", "n2")) {
      state.facts().written(Records.object(ObjectKind.NODE, name));
      state.facts().node(Records.node(name, "h" + name.substring(1), 8, 4 * GB));
    }
  }

  private static long at(int seconds) {
    return NOW.toEpochMilli() + 1000L * seconds;
  }

  private void run(long number, String request) {
    state.facts().job(Records.job(number, "workq", 0, request));
    for (Start it : Cycle.run(state, NOW, 1_000_000).starts()) {
      state.facts().granted(it.jobNumber(), Records.allocation(it.shares()), NOW.toEpochMilli());
    }
  }

  private List<ReservationDecision> decide() {
    return ReservationCycle.run(state, NOW, Long.MAX_VALUE);
  }

  private ReservationDecision soonest(long number, int seconds, String request) {
    ReservationSpec spec =
        SampleReservations.spec("pbs-default", at(LATEST_S), at(LATEST_S + seconds), request);
    spec.setSoonest(true);
    Reservation asked = SampleReservations.asked(number, spec);
    asked.setInteractiveS(-10L);
    state.facts().reservation(asked);
    List<ReservationDecision> decided = decide();
    return decided.isEmpty() ? null : decided.get(0);
  }

  private void booked(long number, int fromS, int toS, String request) {
    Reservation asked =
        SampleReservations.asked(
            number, SampleReservations.spec("pbs-default", at(fromS), at(toS), request));
    state.facts().reservation(asked);
    state.facts().reservation(SampleReservations.confirmed(asked, decide().get(0).shares()));
  }

  @Test
  void atOnceWhereThereIsRoom() {
    ReservationDecision decision = soonest(1, 100, "select=2:ncpus=8");
    assertEquals(at(0), decision.startMs());
    assertEquals(2, decision.shares().size());
  }

  @Test
  void behindTheFirstRunThatLeavesRoom() {
    run(7, "select=1:ncpus=8,walltime=00:05:00");
    run(8, "select=1:ncpus=8,walltime=00:03:00");
    assertEquals(at(180), soonest(1, 100, "select=1:ncpus=4").startMs());
    assertEquals(at(180), soonest(2, 100, "select=1:ncpus=4").startMs(), "beside the first");
    assertEquals(at(280), soonest(3, 20, "select=1:ncpus=8").startMs(), "what is proposed counts");
    assertEquals(at(300), soonest(4, 100, "select=2:ncpus=8").startMs());
  }

  /** Its node is of another partition than the one beside it on the host. */
  @Test
  void behindARunOfAnotherPartitionOnTheHostThatItWantsAlone() {
    state.facts().written(Records.object(ObjectKind.NODE, "n3", "partition", "p1"));
    state.facts().node(Records.node("n3", "h3", 8, 4 * GB));
    state.facts().node(Records.node("n2", "h3", 8, 4 * GB));
    state
        .facts()
        .written(Records.object(ObjectKind.SCHEDULER, "default", "partition", "pbs-default,p1"));
    run(7, "select=2:ncpus=8,walltime=00:03:00");
    ReservationSpec spec =
        SampleReservations.spec("p1", at(1000), at(1100), "select=1:ncpus=1,place=exclhost");
    spec.setSoonest(true);
    Reservation asked = SampleReservations.asked(1, spec);
    asked.setInteractiveS(-10L);
    state.facts().reservation(asked);
    assertEquals(at(180), decide().get(0).startMs());
  }

  @Test
  void notIntoABookingThatItWouldReach() {
    booked(1, 50, 200, "select=2:ncpus=6");
    assertEquals(at(0), soonest(2, 50, "select=1:ncpus=4").startMs());
    assertEquals(at(200), soonest(3, 51, "select=1:ncpus=4").startMs());
  }

  @Test
  void itWaitsForARunWithoutEndAndIsLookedAtWhenThatIsGone() {
    run(7, "select=2:ncpus=8");
    assertEquals(null, soonest(1, 100, "select=1:ncpus=1"));
    assertFalse(state.reservationsDue());
    state.facts().gone(7);
    assertTrue(state.reservationsDue());
    assertEquals(at(0), decide().get(0).startMs());
  }

  @Test
  void whatNeverFitsIsDenied() {
    ReservationDecision decision = soonest(1, 100, "select=1:ncpus=9");
    assertFalse(decision.confirms());
    assertTrue(decision.why().contains("ever large enough"), decision.why());
  }

  @Test
  void ofVeryManyEndsTheNextAndTheLastAreTried() {
    for (int i = 0; i < 2 * SoonestStarts.TRIED; i++) {
      booked(10 + i, 10 * i, 10 * i + 10, "select=2:ncpus=8");
    }
    assertEquals(at(20 * SoonestStarts.TRIED), soonest(1, 100, "select=1:ncpus=1").startMs());
  }
}
