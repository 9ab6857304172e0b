package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.LimitGranted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An engine whose policy is origin2000 names the queue of each run and deletes what cannot run. */
class OriginEngineTest {

  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int NO_ROOM = 15401;
  private static final CommandId NOBODY = new CommandId(new byte[16]);

  private SchedulingEngine engine;

  @AfterEach
  void close() {
    engine.close();
  }

  private void start(String policy, Job... jobs) {
    EngineSeat seat = new EngineSeat("default", 3, 0, "vm", () -> {});
    engine = new EngineThreads(EngineLimits.standard()).start(seat, snapshot(policy, jobs));
  }

  private static ClusterObject scheduler(String policy) {
    String text =
        "=== time_zone\nUTC\n=== host\nn1\n"
            + "=== config\nSUBMIT_QUEUE submit\nBATCH_QUEUES batch@n1\n";
    return Records.object(
        ObjectKind.SCHEDULER,
        "default",
        "scheduling",
        "True",
        "policy",
        policy,
        "origin2000",
        text);
  }

  private static EngineSnapshot snapshot(String policy, Job... jobs) {
    return new EngineSnapshot() {
      @Override
      public long timeMs() {
        return 0;
      }

      @Override
      public void objects(Consumer<ClusterObject> each) {
        each.accept(scheduler(policy));
        each.accept(Records.queue("submit"));
        each.accept(Records.queue("batch"));
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
        each.accept(Records.node("n1", "h1", 4, 1L << 30));
      }

      @Override
      public void reservations(Consumer<Reservation> each) {}

      @Override
      public void past(Consumer<PastReservation> each) {}

      @Override
      public void jobs(Consumer<Job> each) {
        List.of(jobs).forEach(each);
      }
    };
  }

  private <P> P next(Class<P> wanted) throws InterruptedException {
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (System.nanoTime() < end) {
      assertTrue(engine.awaitSettled(DEADLINE_NANOS));
      for (SpecificRecord it : engine.proposals(1000)) {
        if (wanted.isInstance(it)) {
          return wanted.cast(it);
        }
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("no " + wanted.getSimpleName() + " within the deadline");
  }

  @Test
  void aRunNamesItsQueueAndItsNode() throws InterruptedException {
    start("origin2000", Records.job(1, "submit", 0, "ncpus=4,walltime=60"));
    RunJob run = next(RunJob.class);
    assertEquals("1.vm", run.getJobId());
    assertEquals("batch", run.getQueue());
    assertEquals("n1", run.getShares().get(0).getNode());
  }

  @Test
  void whatTheServerHasIsAskedForAgainSoon() throws InterruptedException {
    start("origin2000", Records.job(1, "submit", 0, "ncpus=4,walltime=60"));
    RunJob run = next(RunJob.class);
    ObjectWritten server =
        new ObjectWritten(
            new FactMeta(1L, 1L, NOBODY, "u"),
            Records.object(ObjectKind.SERVER, "server", "resources_available.ncpus", "6"));
    engine.hear(List.of(server));
    long begin = System.nanoTime();
    engine.answered(run.getMeta().getId(), Planner.NO_LEASE);
    assertTrue(told().contains("after a second"));
    FactMeta meta = new FactMeta(2L, 2L, NOBODY, "u");
    engine.hear(List.of(new LimitGranted(meta, "ncpus@running", 3L, 3L, true)));
    String told = told();
    assertTrue(told.contains("resources_available.ncpus") && told.contains("(3)"), told);
    assertEquals("1.vm", next(RunJob.class).getJobId());
    assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(30));
  }

  private String told() throws InterruptedException {
    return next(RecordCycle.class).getReasons().get(0).getSubject();
  }

  @Test
  void whatWaitsIsToldOfAndARefusalToo() throws InterruptedException {
    start("origin2000", Records.job(1, "submit", 0, "ncpus=4,walltime=60"));
    RunJob run = next(RunJob.class);
    engine.answered(run.getMeta().getId(), NO_ROOM);
    RecordCycle told = next(RecordCycle.class);
    assertEquals("job;1", told.getReasons().get(0).getClassKey());
    assertTrue(told.getReasons().get(0).getSubject().contains("code 15401"));
  }

  @Test
  void aJobThatIsTooLargeIsProposedToGo() throws InterruptedException {
    ClusterObject small =
        Records.object(
            ObjectKind.QUEUE,
            "batch",
            "queue_type",
            "Execution",
            "enabled",
            "True",
            "started",
            "True",
            "resources_max.walltime",
            "00:00:30");
    start("fifo");
    engine.hear(List.of(new ObjectWritten(meta(1), small)));
    engine.hear(List.of(new ObjectWritten(meta(2), scheduler("origin2000"))));
    engine.hear(
        List.of(
            new JobQueued(meta(3), Records.job(1, "submit", 0, "ncpus=1,walltime=60"), List.of())));
    RejectJob gone = next(RejectJob.class);
    assertEquals("1.vm", gone.getJobId());
    assertTrue(gone.getWhy().startsWith("Job will not fit on any execution queue"), gone.getWhy());
  }

  private static FactMeta meta(long seq) {
    return new FactMeta(seq, seq, new CommandId(new byte[16]), "u");
  }
}
