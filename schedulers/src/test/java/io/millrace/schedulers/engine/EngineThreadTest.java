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
import io.millrace.schemas.Envelope;
import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.fact.CommandAnswered;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.output.CycleDone;
import io.millrace.schemas.output.LogNote;
import io.millrace.schemas.state.Answer;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.Suspension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineThreadTest {

  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final CommandId NOBODY = new CommandId(new byte[16]);

  private final AtomicInteger wakes = new AtomicInteger();
  private SchedulingEngine engine;
  private long seq;

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  private void start(EngineLimits limits, Job... jobs) {
    engine = new EngineThreads(limits).start(seat(), snapshot("True", jobs));
  }

  private EngineSeat seat() {
    return new EngineSeat("default", 3, 0, "vm", wakes::incrementAndGet);
  }

  private static EngineSnapshot snapshot(String scheduling, Job... jobs) {
    return snapshot(
        Records.object(ObjectKind.SCHEDULER, "default", "scheduling", scheduling), jobs);
  }

  private static EngineSnapshot snapshot(ClusterObject scheduler, Job... jobs) {
    return new EngineSnapshot() {
      @Override
      public long timeMs() {
        return 0;
      }

      @Override
      public void objects(Consumer<ClusterObject> each) {
        each.accept(scheduler);
        each.accept(Records.queue("workq"));
        each.accept(Records.object(ObjectKind.NODE, "n1"));
      }

      @Override
      public void schedulers(Consumer<Scheduler> each) {
        // None has run yet.
      }

      @Override
      public void usages(Consumer<EntityUsage> each) {
        // Nobody has used anything.
      }

      @Override
      public void nodes(Consumer<Node> each) {
        each.accept(Records.node("n1", "h1", 8, 1L << 32));
      }

      @Override
      public void reservations(Consumer<Reservation> each) {}

      @Override
      public void past(Consumer<PastReservation> each) {}

      @Override
      public void jobs(Consumer<Job> each) {
        Arrays.asList(jobs).forEach(each);
      }
    };
  }

  private FactMeta meta(CommandId cause) {
    return new FactMeta(++seq, seq, cause, "u");
  }

  private JobQueued queued(long number, String request) {
    return new JobQueued(meta(NOBODY), Records.job(number, "workq", 0, request), List.of());
  }

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
    return new RunFinished(meta(NOBODY), jobId, 1, 0, used, 0L, 0L, "", -1L);
  }

  private List<RunJob> runs() throws InterruptedException {
    List<RunJob> runs = new ArrayList<>();
    for (SpecificRecord it : next()) {
      if (it instanceof RunJob run) {
        runs.add(run);
      }
    }
    return runs;
  }

  private List<SpecificRecord> next() throws InterruptedException {
    assertTrue(engine.awaitSettled(DEADLINE_NANOS));
    return engine.proposals(1000);
  }

  private RunJob nextRun() throws InterruptedException {
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (System.nanoTime() < end) {
      for (RunJob run : runs()) {
        return run;
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("no proposal within the deadline");
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

  private <P> Optional<P> next(Class<P> wanted, long patienceNanos) throws InterruptedException {
    long end = System.nanoTime() + patienceNanos;
    while (System.nanoTime() < end) {
      for (SpecificRecord it : next()) {
        if (wanted.isInstance(it)) {
          return Optional.of(wanted.cast(it));
        }
      }
      Thread.onSpinWait();
    }
    return Optional.empty();
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

  private static ClusterObject scheduler(String... pairs) {
    List<String> all = new ArrayList<>(List.of("scheduling", "True"));
    all.addAll(List.of(pairs));
    return Records.object(ObjectKind.SCHEDULER, "default", all.toArray(new String[0]));
  }

  private static Job[] waiting(int classes) {
    Job[] jobs = new Job[classes];
    for (int i = 0; i < classes; i++) {
      jobs[i] = Records.job(i + 1, "workq", 0, "ncpus=9,walltime=" + (i + 60));
    }
    return jobs;
  }

  /** All cycles of an engine, until all classes have been looked at. */
  private List<CycleDone> cycles(EngineSnapshot snapshot) throws InterruptedException {
    List<CycleDone> done = Collections.synchronizedList(new ArrayList<>());
    EngineLimits standard = EngineLimits.standard();
    EngineLimits limits =
        new EngineLimits(200_000, 10, standard.expiry(), Duration.ofHours(1), standard.watchdog());
    engine = new EngineThreads(limits, Optional.empty(), done::add).start(seat(), snapshot);
    for (List<SpecificRecord> said = next(); !said.isEmpty(); said = next()) {
      for (SpecificRecord it : said) {
        engine.answered(Envelope.ofCommand(it).getId(), 0);
      }
    }
    return List.copyOf(done);
  }

  @Test
  void sched_cycle_lengthEndsACycleAndTheNextGoesOn() throws InterruptedException {
    EngineSnapshot all = snapshot("True", waiting(3_000));
    List<CycleDone> whole = cycles(all);
    assertEquals(1, whole.size());
    assertFalse(whole.get(0).getLimitHit());
    engine.close();
    ClusterObject quick = scheduler("sched_cycle_length", "00:00:00", "log_events", "2047");
    List<CycleDone> parts = cycles(snapshot(quick, waiting(3_000)));
    assertTrue(parts.size() >= 3, parts.size() + " cycles");
    assertTrue(parts.get(0).getLimitHit());
    assertFalse(parts.get(parts.size() - 1).getLimitHit());
    String said = parts.get(0).getNotes().toString();
    assertTrue(said.contains("has exceeded sched_cycle_length of 0 seconds"), said);
    assertFalse(whole.get(0).getNotes().toString().contains("exceeded"));
  }

  @Test
  void attr_update_periodSaysHowOftenReasonsAreTold() throws InterruptedException {
    engine =
        new EngineThreads()
            .start(seat(), snapshot(scheduler("attr_update_period", "2"), waiting(1)));
    assertEquals(1, next().size());
    long from = System.nanoTime();
    engine.hear(List.of(queued(2, "ncpus=9,walltime=5")));
    assertTrue(next(RecordCycle.class, DEADLINE_NANOS).isPresent());
    long took = System.nanoTime() - from;
    assertTrue(took > TimeUnit.MILLISECONDS.toNanos(1_500), took / 1_000_000 + " ms");
    assertTrue(took < TimeUnit.SECONDS.toNanos(20), took / 1_000_000 + " ms");
  }

  @Test
  void whatACycleDidIsToldInPbssWords() throws InterruptedException {
    Job[] jobs = {
      Records.job(1, "workq", 0, "ncpus=6,walltime=60"),
      Records.job(2, "workq", 0, "ncpus=4,walltime=60")
    };
    ClusterObject all = scheduler("log_events", "2047", "strict_ordering", "True");
    List<LogNote> notes = cycles(snapshot(all, jobs)).get(0).getNotes();
    List<String> lines =
        notes.stream().map(it -> it.getEvent() + " " + it.getName() + " " + it.getText()).toList();
    assertEquals("128  Starting Scheduling Cycle", lines.get(0));
    assertEquals("1024 create_resresv_sets Number of job equivalence classes: 1", lines.get(1));
    assertEquals("256 1.vm Considering job to run", lines.get(2));
    assertEquals("256 2.vm Considering job to run", lines.get(3));
    assertEquals("128 2.vm Insufficient amount of resource: ncpus (R: 4 A: 2 T: 8)", lines.get(4));
    assertTrue(lines.get(5).startsWith("256 2.vm Job is a top job and will run at "), lines.get(5));
    assertEquals("128  Leaving Scheduling Cycle", lines.get(6));
    assertEquals(7, lines.size());
    assertTrue(notes.get(6).getAtUs() > notes.get(0).getAtUs());
    engine.close();
    List<LogNote> usual = cycles(snapshot("True", jobs)).get(0).getNotes();
    assertEquals(3, usual.size(), "767 has no 256 and 1024: " + usual);
    engine.close();
    List<CycleDone> none = cycles(snapshot(scheduler("log_events", "0"), jobs));
    assertEquals(List.of(), none.get(0).getNotes());
    engine.close();
    int many = cycles(snapshot(all, waiting(3_000))).get(0).getNotes().size();
    assertTrue(many > 100 && many < 210, many + " lines");
  }

  @Test
  void submissionsMayAccumulate() throws InterruptedException {
    start(EngineLimits.standard());
    next();
    ClusterObject patient =
        Records.object(
            ObjectKind.SCHEDULER, "default", "scheduling", "True", "job_accumulation_time", "2");
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), patient)));
    next();
    long begin = System.nanoTime();
    // A live shard tells the answer to each submission with it.
    engine.hear(List.of(queued(1, "ncpus=1"), answered()));
    assertEquals(List.of(), runs());
    engine.hear(List.of(queued(2, "ncpus=1"), answered()));
    assertEquals(List.of(), runs());
    assertEquals("1.vm", nextRun().getJobId());
    assertTrue(System.nanoTime() - begin >= TimeUnit.SECONDS.toNanos(2));
  }

  private CommandAnswered answered() {
    Answer answer =
        Answer.newBuilder().setId(NOBODY).setCode(0).setLines(List.of()).setGivenRound(1).build();
    return new CommandAnswered(meta(NOBODY), answer);
  }

  @Test
  void nothingElseThanTimeOrAChangeEndsTheAccumulation() throws InterruptedException {
    start(EngineLimits.standard());
    next();
    ClusterObject patient =
        Records.object(
            ObjectKind.SCHEDULER, "default", "scheduling", "True", "job_accumulation_time", "3600");
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), patient)));
    next();
    engine.hear(List.of(queued(1, "ncpus=1"), answered()));
    assertEquals(List.of(), runs());
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), patient)));
    assertEquals("1.vm", nextRun().getJobId());
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
            site);
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
