package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.BestEffort;
import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.policy.JobOrder;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.dialects.gridengine.live.LiveState;
import io.millrace.schedulers.dialects.origin2000.live.OriginFollower;
import io.millrace.schedulers.dialects.schedconfig.live.LiveSitePolicy;
import io.millrace.schedulers.engine.accrue.EligibleTimes;
import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class EngineThreadTest extends EngineFixture {
  private RunGranted granted(RunJob proposal) {
    return new RunGranted(
        meta(proposal.getMeta().getId()),
        proposal.getJobId(),
        1,
        "default",
        3L,
        Records.allocation(proposal.getShares()));
  }

  private RunFinished finished(String jobId) {
    Usage used = Usage.newBuilder().build();
    return new RunFinished(meta(NOBODY), jobId, 1, 0, used, 0L, 0L, "", -1L, "");
  }

  @Test
  void proposesWhatWasThereAndWhatComes() throws InterruptedException {
    start(EngineLimits.standard(), Records.job(1, "workq", 0, "ncpus=3"));
    RunJob first = nextRun();
    assertEquals("1.vm", first.getJobId());
    assertEquals(3, first.getEpoch());
    assertEquals(3, first.getShares().get(0).getAmounts().get("ncpus"));
    assertTrue(engine.hear(List.of(queued(2, "ncpus=5"), queued(3, "ncpus=1"))));
    assertEquals("2.vm", nextRun().getJobId());
    assertTrue(wakes.get() > 0);
  }

  @Test
  void aProposalInFlightCountsAsTakenUntilTheRunEnds() throws InterruptedException {
    start(EngineLimits.standard(), Records.job(1, "workq", 0, "ncpus=8"));
    RunJob run = nextRun();
    engine.hear(List.of(queued(2, "ncpus=8")));
    List<SpecificRecord> said = next();
    assertEquals(1, said.size());
    assertEquals("TOTAL_INSUFFICIENT", ((RecordCycle) said.get(0)).getReasons().get(0).getCode());
    engine.answered(run.getMeta().getId(), 0);
    engine.hear(List.of(granted(run)));
    assertEquals(List.of(), runs());
    engine.hear(List.of(finished("1.vm")));
    assertEquals("2.vm", nextRun().getJobId());
  }

  @Test
  void aRejectedStartIsTriedAgainAfterAPause() throws InterruptedException {
    start(EngineLimits.standard(), Records.job(1, "workq", 0, "ncpus=8"));
    RunJob run = nextRun();
    engine.answered(run.getMeta().getId(), 15052);
    RunJob again = nextRun();
    assertEquals("1.vm", again.getJobId());
    assertNotEquals(run.getMeta().getId(), again.getMeta().getId());
  }

  @Test
  void anUnansweredProposalExpires() throws InterruptedException {
    EngineLimits standard = EngineLimits.standard();
    start(
        new EngineLimits(
            1000, 10, Duration.ofMillis(50), standard.cycleBudget(), standard.watchdog()),
        Records.job(1, "workq", 0, "ncpus=8"));
    RunJob run = nextRun();
    RunJob again = nextRun();
    assertEquals(run.getJobId(), again.getJobId());
    assertNotEquals(run.getMeta().getId(), again.getMeta().getId());
  }

  @Test
  void stopsAJobForOneOfAnExpressQueue() throws InterruptedException {
    start(EngineLimits.standard(), Records.job(1, "workq", 0, "ncpus=8"));
    RunJob run = nextRun();
    engine.hear(
        List.of(
            granted(run),
            new ObjectWritten(
                meta(NOBODY),
                Records.object(ObjectKind.QUEUE, "express", "started", "True", "Priority", "150")),
            new JobQueued(meta(NOBODY), Records.job(2, "express", 0, "ncpus=8"), List.of())));
    PreemptJob stop = nextStop();
    assertEquals("1.vm", stop.getJobId());
    assertEquals("2.vm", stop.getForJob());
    assertEquals("SR", stop.getWays());
    engine.answered(stop.getMeta().getId(), 15016);
    PreemptJob again = nextStop();
    assertEquals("1.vm", again.getJobId(), "after a pause it is tried again");
    engine.answered(again.getMeta().getId(), 0);
    engine.hear(
        List.of(
            new RunKillRequested(meta(NOBODY), "1.vm", 1, KillPurpose.RERUN, "Scheduler", false),
            new RunRequeued(meta(NOBODY), "1.vm", 1, 271, "rerun", null, -1L)));
    assertEquals("2.vm", nextRun().getJobId());
  }

  /** An engine in a process of its own gets no other answer than the fact. */
  @Test
  void aStopThatHasHappenedIsNotTakenBack() throws InterruptedException {
    EngineLimits standard = EngineLimits.standard();
    Duration expiry = Duration.ofSeconds(3);
    start(
        new EngineLimits(1000, 10, expiry, standard.cycleBudget(), standard.watchdog()),
        Records.job(1, "workq", 0, "ncpus=8"));
    RunJob first = nextRun();
    engine.hear(
        List.of(
            granted(first),
            new ObjectWritten(
                meta(NOBODY),
                Records.object(ObjectKind.QUEUE, "express", "started", "True", "Priority", "150")),
            new JobQueued(meta(NOBODY), Records.job(2, "express", 0, "ncpus=8"), List.of())));
    PreemptJob stop = nextStop();
    engine.hear(List.of(suspended(stop, first)));
    engine.hear(List.of(granted(nextRun()), finished("2.vm")));
    CommandId on = next(ResumeRun.class, DEADLINE_NANOS).orElseThrow().getMeta().getId();
    engine.hear(
        List.of(
            new RunResumed(meta(on), "1.vm", 1, 2, "default"),
            new JobQueued(meta(NOBODY), Records.job(3, "express", 0, "ncpus=8"), List.of())));
    engine.answered(nextStop().getMeta().getId(), 0);
    assertTrue(next(PreemptJob.class, expiry.plusSeconds(1).toNanos()).isEmpty());
  }

  private RunSuspended suspended(PreemptJob why, RunJob run) {
    return RunSuspended.newBuilder()
        .setMeta(meta(why.getMeta().getId()))
        .setJobId(why.getJobId())
        .setRun(1)
        .setOrder(1)
        .setSuspension(Suspension.RESUMABLE)
        .setShares(run.getShares())
        .setRanMs(10)
        .setBy("Scheduler")
        .build();
  }

  private PreemptJob nextStop() throws InterruptedException {
    return next(PreemptJob.class, DEADLINE_NANOS)
        .orElseThrow(() -> new AssertionError("no proposal within the deadline"));
  }

  @Test
  void proposalsInFlightAreBounded() throws InterruptedException {
    EngineLimits standard = EngineLimits.standard();
    start(
        new EngineLimits(1000, 2, standard.expiry(), standard.cycleBudget(), standard.watchdog()));
    engine.hear(List.of(queued(1, "ncpus=1"), queued(2, "ncpus=1"), queued(3, "ncpus=1")));
    List<RunJob> two = runs();
    assertEquals(2, two.size());
    assertEquals(List.of(), runs());
    engine.hear(List.of(granted(two.get(0))));
    assertEquals("3.vm", nextRun().getJobId());
  }

  @Test
  void aFullMailboxIsSaid() throws InterruptedException {
    EngineLimits standard = EngineLimits.standard();
    start(new EngineLimits(2, 10, standard.expiry(), standard.cycleBudget(), standard.watchdog()));
    List<JobQueued> three =
        List.of(queued(1, "ncpus=1"), queued(2, "ncpus=1"), queued(3, "ncpus=1"));
    assertFalse(engine.hear(three));
    assertTrue(engine.hear(three.subList(0, 2)));
    assertEquals(2, runs().size());
  }

  @Test
  void schedulingSwitchedOnIsATrigger() throws InterruptedException {
    engine =
        new EngineThreads().start(seat(), snapshot("False", Records.job(1, "workq", 0, "ncpus=8")));
    RecordCycle off = (RecordCycle) next().get(0);
    assertEquals("SCHEDULING_OFF", off.getReasons().get(0).getCode());
    engine.answered(off.getMeta().getId(), 0);
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), Records.scheduler())));
    List<SpecificRecord> said = next();
    assertEquals("1.vm", ((RunJob) said.get(0)).getJobId());
  }

  @Test
  void aCycleThatLosesItselfGivesTheEngineUp() {
    Policy endless =
        new Policy() {
          @Override
          public String name() {
            return "endless";
          }

          @Override
          public JobOrder gapOrder() {
            return (queuePriority, priority, walltimeMs) -> {
              while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
              }
              return 0;
            };
          }
        };
    SchedulerState state = new SchedulerState("default", 0, endless, 10);
    EngineSnapshot some = snapshot("True");
    some.objects(state.facts()::written);
    some.nodes(state.facts()::node);
    EngineLimits standard = EngineLimits.standard();
    EngineLimits limits =
        new EngineLimits(100, 10, standard.expiry(), standard.cycleBudget(), Duration.ofSeconds(2));
    LiveSitePolicy site = new LiveSitePolicy("default", state);
    Followers followers =
        new Followers(
            state,
            new BestEffort(state, 0, 7),
            new LiveState("default", 0),
            new OriginFollower("default", 0),
            site,
            new EligibleTimes("default", state.waiting()::classKey));
    engine = new EngineThreads(limits).start(seat(), followers);
    assertTrue(engine.alive());
    engine.hear(List.of(queued(1, "ncpus=1"), queued(2, "ncpus=2")));
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (engine.alive() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertFalse(engine.alive());
    assertFalse(engine.hear(List.of(queued(3, "ncpus=1"))));
  }

  @Test
  void aFactThatCannotBeFollowedEndsTheEngine() throws InterruptedException {
    start(EngineLimits.standard());
    engine.hear(List.of(finished("no-number")));
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (engine.alive() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertFalse(engine.alive());
  }

  @Test
  void printsHowLongAProposalTakes() throws InterruptedException {
    start(EngineLimits.standard());
    int rounds = 1000;
    double[] micros = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      JobQueued fact = queued(i + 1, "ncpus=1");
      long begin = System.nanoTime();
      engine.hear(List.of(fact));
      RunJob run = nextRun();
      micros[i] = (System.nanoTime() - begin) / 1e3;
      engine.answered(run.getMeta().getId(), 0);
      engine.hear(List.of(granted(run), finished(run.getJobId())));
      assertTrue(engine.awaitSettled(DEADLINE_NANOS));
    }
    double[] warm = Arrays.copyOfRange(micros, rounds / 2, rounds);
    Arrays.sort(warm);
    System.out.printf(
        Locale.ROOT,
        "JobQueued heard to proposal taken: p50 %.0f us, p99 %.0f us%n",
        warm[warm.length / 2],
        warm[warm.length * 99 / 100]);
  }
}
