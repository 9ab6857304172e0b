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
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An engine and reservations, under a policy of the core and under Grid Engine's. */
class ReservationEngineTest {

  private static final CommandId NOBODY = new CommandId(new byte[16]);
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long HOUR_MS = 3_600_000;

  private SchedulingEngine engine;
  private long seq;

  @AfterEach
  void close() {
    engine.close();
  }

  private void start(EngineLimits limits, String policy, Reservation... reservations) {
    engine =
        new EngineThreads(limits)
            .start(new EngineSeat("default", 3, 0, "vm", () -> {}), snapshot(policy, reservations));
  }

  private static EngineSnapshot snapshot(String policy, Reservation... reservations) {
    return new EngineSnapshot() {
      @Override
      public long timeMs() {
        return 0;
      }

      @Override
      public void objects(Consumer<ClusterObject> each) {
        each.accept(
            Records.object(
                ObjectKind.SCHEDULER, "default", "scheduling", "True", "policy", policy));
        each.accept(Records.queue("workq"));
        each.accept(Records.object(ObjectKind.NODE, "n1"));
      }

      @Override
      public void schedulers(Consumer<Scheduler> each) {}

      @Override
      public void usages(Consumer<EntityUsage> each) {}

      @Override
      public void nodes(Consumer<Node> each) {
        each.accept(Records.node("n1", "h1", 8, 1L << 32));
      }

      @Override
      public void jobs(Consumer<Job> each) {}

      @Override
      public void reservations(Consumer<Reservation> each) {
        List.of(reservations).forEach(each);
      }

      @Override
      public void past(Consumer<PastReservation> each) {}
    };
  }

  private FactMeta meta(CommandId cause) {
    return new FactMeta(++seq, seq, cause, "u");
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

  private <P> P next(Class<P> wanted) throws InterruptedException {
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (System.nanoTime() < end) {
      engine.awaitSettled(DEADLINE_NANOS);
      for (SpecificRecord it : engine.proposals(1000)) {
        if (wanted.isInstance(it)) {
          return wanted.cast(it);
        }
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("no " + wanted.getSimpleName() + " within the deadline");
  }

  private void confirmed(Reservation asked, ConfirmReservation proposal) {
    engine.answered(proposal.getMeta().getId(), 0);
    Reservation now = SampleReservations.confirmed(asked, proposal.getShares());
    engine.hear(
        List.of(new ReservationConfirmed(meta(proposal.getMeta().getId()), now, "default", 3L)));
  }

  @Test
  void confirmsWhatWasThereAndDeniesWhatDoesNotFitBeside() throws InterruptedException {
    Reservation first = asked(1, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=6");
    start(EngineLimits.standard(), "", first);
    ConfirmReservation proposal = next(ConfirmReservation.class);
    assertEquals(1, proposal.getNumber());
    assertEquals(1, proposal.getRevision());
    assertEquals(3, proposal.getEpoch());
    assertEquals("n1", proposal.getShares().get(0).getNode());
    submit(asked(2, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=3"));
    DenyReservation denied = next(DenyReservation.class);
    assertEquals(2, denied.getNumber());
    assertTrue(denied.getWhy().startsWith("too little"), denied.getWhy());
    confirmed(first, proposal);
    queue(11, "workq", "ncpus=3");
    queue(12, "workq", "ncpus=3,walltime=00:10:00");
    assertEquals("12.vm", next(RunJob.class).getJobId());
  }

  @Test
  void aRefusedProposalIsMadeAgainAfterAPause() throws InterruptedException {
    start(EngineLimits.standard(), "", asked(1, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=8"));
    ConfirmReservation proposal = next(ConfirmReservation.class);
    engine.answered(proposal.getMeta().getId(), 15052);
    ConfirmReservation again = next(ConfirmReservation.class);
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
    next(ConfirmReservation.class);
    assertEquals(1, next(ConfirmReservation.class).getNumber());
  }

  @Test
  void jobsInsideStartWithItAndOthersWhenItHasEnded() throws InterruptedException {
    Reservation asked = asked(1, 0, HOUR_MS, "select=1:ncpus=8");
    start(EngineLimits.standard(), "", asked);
    ConfirmReservation proposal = next(ConfirmReservation.class);
    queue(11, "R1", "ncpus=8");
    queue(12, "workq", "ncpus=8,walltime=00:10:00");
    confirmed(asked, proposal);
    Reservation now =
        SampleReservations.begun(
            SampleReservations.confirmed(asked, proposal.getShares()), System.currentTimeMillis());
    engine.hear(List.of(new ReservationStarted(meta(NOBODY), now)));
    assertEquals("11.vm", next(RunJob.class).getJobId());
    engine.hear(
        List.of(new ReservationEnded(meta(NOBODY), SampleReservations.ended(now), "its time")));
    assertEquals("12.vm", next(RunJob.class).getJobId());
  }

  @Test
  void underGridEnginesPolicyTheyAreDecidedToo() throws InterruptedException {
    start(
        EngineLimits.standard(), "gridengine", asked(1, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=8"));
    assertEquals(1, next(ConfirmReservation.class).getNumber());
    submit(asked(2, HOUR_MS, 2 * HOUR_MS, "select=1:ncpus=1"));
    assertEquals(2, next(DenyReservation.class).getNumber());
  }
}
