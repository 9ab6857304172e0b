package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.LimitGranted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.state.Job;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An engine whose policy is origin2000 names the queue of each run and deletes what cannot run. */
class OriginEngineTest extends EngineFixture {

  private static final int NO_ROOM = 15401;

  private void start(String policy, Job... jobs) {
    List<ClusterObject> objects =
        List.of(
            scheduler(policy),
            Records.queue("submit"),
            Records.queue("batch"),
            Records.object(ObjectKind.NODE, "n1"));
    start(SampleSnapshot.of(objects, List.of(Records.node("n1", "h1", 4, 1L << 30)), jobs));
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

  @Test
  void aRunNamesItsQueueAndItsNode() throws InterruptedException {
    start("origin2000", Records.job(1, "submit", 0, "ncpus=4,walltime=60"));
    RunJob run = proposed(RunJob.class);
    assertEquals("1.vm", run.getJobId());
    assertEquals("batch", run.getQueue());
    assertEquals("n1", run.getShares().get(0).getNode());
  }

  @Test
  void whatTheServerHasIsAskedForAgainSoon() throws InterruptedException {
    start("origin2000", Records.job(1, "submit", 0, "ncpus=4,walltime=60"));
    RunJob run = proposed(RunJob.class);
    ObjectWritten server =
        new ObjectWritten(
            meta(NOBODY),
            Records.object(ObjectKind.SERVER, "server", "resources_available.ncpus", "6"));
    engine.hear(List.of(server));
    long begin = System.nanoTime();
    engine.answered(run.getMeta().getId(), Planner.NO_LEASE);
    assertTrue(told().contains("after a second"));
    engine.hear(List.of(new LimitGranted(meta(NOBODY), "ncpus@running", 3L, 3L, true)));
    String told = told();
    assertTrue(told.contains("resources_available.ncpus") && told.contains("(3)"), told);
    assertEquals("1.vm", proposed(RunJob.class).getJobId());
    assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(30));
  }

  private String told() throws InterruptedException {
    return proposed(RecordCycle.class).getReasons().get(0).getSubject();
  }

  @Test
  void whatWaitsIsToldOfAndARefusalToo() throws InterruptedException {
    start("origin2000", Records.job(1, "submit", 0, "ncpus=4,walltime=60"));
    RunJob run = proposed(RunJob.class);
    engine.answered(run.getMeta().getId(), NO_ROOM);
    RecordCycle told = proposed(RecordCycle.class);
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
    start("origin2000");
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), small)));
    engine.hear(
        List.of(
            new JobQueued(
                meta(NOBODY), Records.job(1, "submit", 0, "ncpus=1,walltime=60"), List.of())));
    RejectJob gone = proposed(RejectJob.class);
    assertEquals("1.vm", gone.getJobId());
    assertTrue(gone.getWhy().startsWith("Job will not fit on any execution queue"), gone.getWhy());
  }

  @Test
  void anotherPolicyThatBecomesThisOneIsBegunAnewSinceItKeptNoJobs() throws InterruptedException {
    Job large = Records.job(1, "submit", 0, "ncpus=400,walltime=60");
    start("fifo", large);
    assertEquals(List.of(), runs());
    assertFalse(engine.outdated());
    int wakes = this.wakes.get();
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), scheduler("origin2000"))));
    engine.hear(List.of(queued(2, "ncpus=1")));
    assertEquals(Optional.empty(), next(RunJob.class, TimeUnit.MILLISECONDS.toNanos(200)));
    assertTrue(engine.outdated());
    assertTrue(this.wakes.get() > wakes, "the shard is told");
    engine.close();
    start("origin2000", large);
    assertFalse(engine.outdated());
    assertEquals("job;1", proposed(RecordCycle.class).getReasons().get(0).getClassKey());
  }

  @Test
  void aPolicyThatWasThisOneAndIsAgainIsBegunAnew() throws InterruptedException {
    start("origin2000", Records.job(1, "submit", 0, "ncpus=4,walltime=60"));
    proposed(RunJob.class);
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), scheduler("fifo"))));
    assertEquals(Optional.empty(), next(RejectJob.class, TimeUnit.MILLISECONDS.toNanos(100)));
    assertFalse(engine.outdated());
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), scheduler("origin2000"))));
    assertTrue(engine.awaitSettled(DEADLINE_NANOS));
    assertTrue(engine.outdated());
  }
}
