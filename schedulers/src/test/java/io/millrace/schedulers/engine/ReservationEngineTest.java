package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SampleReservations;
import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.command.DenyReservation;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.state.Reservation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An engine and reservations, under a policy of the core and under Grid Engine's. */
class ReservationEngineTest extends EngineFixture {

  private static final long HOUR_MS = 3_600_000;

  private void start(EngineLimits limits, String policy, Reservation... reservations) {
    engine =
        new EngineThreads(limits)
            .start(new EngineSeat("default", 3, 0, "vm", () -> {}), snapshot(policy, reservations));
  }

  private static EngineSnapshot snapshot(String policy, Reservation... reservations) {
    ClusterObject scheduler =
        Records.object(ObjectKind.SCHEDULER, "default", "scheduling", "True", "policy", policy);
    return new SampleSnapshot(
        List.of(scheduler, Records.queue("workq"), Records.object(ObjectKind.NODE, "n1")),
        List.of(Records.node("n1", "h1", 8, 1L << 32)),
        List.of(),
        List.of(reservations));
  }

  private static Reservation asked(long number, long fromMs, long toMs, String request) {
    long nowMs = System.currentTimeMillis();
    return SampleReservations.asked(
        number, SampleReservations.spec("pbs-default", nowMs + fromMs, nowMs + toMs, request));
  }

  private void submit(Reservation asked) {
    engine.hear(List.of(new ReservationSubmitted(meta(NOBODY), asked)));
  }

  private void queue(long number, String queue, String request) {
    engine.hear(
        List.of(new JobQueued(meta(NOBODY), Records.job(number, queue, 0, request), List.of())));
  }

  private void confirmed(Reservation asked, ConfirmReservation proposal) {
    engine.answered(proposal.getMeta().getId(), 0);
    Reservation now = SampleReservations.confirmed(asked, proposal.getShares());
    engine.hear(
        List.of(
            new ReservationConfirmed(meta(proposal.getMeta().getId()), now, "default", 3L, false)));
  }

  @Test
  void confirmsWhatWasThereAndDeniesWhatDoesNotFitBeside() throws InterruptedException {
    Reservation first = asked(1, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=6");
    start(EngineLimits.standard(), "", first);
    ConfirmReservation proposal = proposed(ConfirmReservation.class);
    assertEquals(1, proposal.getNumber());
    assertEquals(1, proposal.getRevision());
    assertEquals(3, proposal.getEpoch());
    assertEquals("n1", proposal.getShares().get(0).getNode());
    submit(asked(2, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=3"));
    DenyReservation denied = proposed(DenyReservation.class);
    assertEquals(2, denied.getNumber());
    assertTrue(denied.getWhy().startsWith("too little"), denied.getWhy());
    confirmed(first, proposal);
    queue(11, "workq", "ncpus=3");
    queue(12, "workq", "ncpus=3,walltime=00:10:00");
    assertEquals("12.vm", proposed(RunJob.class).getJobId());
  }

  @Test
  void aRefusedProposalIsMadeAgainAfterAPause() throws InterruptedException {
    start(EngineLimits.standard(), "", asked(1, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=8"));
    ConfirmReservation proposal = proposed(ConfirmReservation.class);
    engine.answered(proposal.getMeta().getId(), 15052);
    ConfirmReservation again = proposed(ConfirmReservation.class);
    assertEquals(1, again.getNumber());
    assertNotEquals(proposal.getMeta().getId(), again.getMeta().getId());
  }

  @Test
  void aProposalThatNobodyAnswersIsMadeAgain() throws InterruptedException {
    EngineLimits standard = EngineLimits.standard();
    start(
        new EngineLimits(
            1000, 10, Duration.ofMillis(50), standard.cycleBudget(), standard.watchdog()),
        "",
        asked(1, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=8"));
    proposed(ConfirmReservation.class);
    assertEquals(1, proposed(ConfirmReservation.class).getNumber());
  }

  @Test
  void jobsInsideStartWithItAndOthersWhenItHasEnded() throws InterruptedException {
    Reservation asked = asked(1, 0, HOUR_MS, "select=1:ncpus=8");
    start(EngineLimits.standard(), "", asked);
    ConfirmReservation proposal = proposed(ConfirmReservation.class);
    queue(11, "R1", "ncpus=8");
    queue(12, "workq", "ncpus=8,walltime=00:10:00");
    confirmed(asked, proposal);
    Reservation now =
        SampleReservations.begun(
            SampleReservations.confirmed(asked, proposal.getShares()), System.currentTimeMillis());
    engine.hear(List.of(new ReservationStarted(meta(NOBODY), now)));
    assertEquals("11.vm", proposed(RunJob.class).getJobId());
    engine.hear(
        List.of(new ReservationEnded(meta(NOBODY), SampleReservations.ended(now), "its time")));
    assertEquals("12.vm", proposed(RunJob.class).getJobId());
  }

  @Test
  void underGridEnginesPolicyTheyAreDecidedToo() throws InterruptedException {
    start(
        EngineLimits.standard(), "gridengine", asked(1, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=8"));
    assertEquals(1, proposed(ConfirmReservation.class).getNumber());
    submit(asked(2, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=1"));
    assertEquals(2, proposed(DenyReservation.class).getNumber());
  }
}
