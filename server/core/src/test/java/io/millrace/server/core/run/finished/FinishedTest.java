package io.millrace.server.core.run.finished;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ends of runs. */
class FinishedTest {
  private final TestShards shards = TestShards.threePartitions();

  @Test
  void theJobFinishesOnceAndItsNodeIsFree() {
    StartRun run = shards.running("ann");
    shards.started(run);
    shards.finished(run, 3);
    shards.finished(run, 0);
    Job job = shards.job(run.getJobId());
    assertEquals(JobStatus.FINISHED, job.getStatus());
    assertEquals(3, job.getExitStatus());
    assertEquals(1, job.getRunCount());
    assertNotNull(job.getAllocation(), "stays to be shown");
    assertEquals(List.of(), shards.holdings(0, "n0"));
    assertEquals(1, shards.facts(RunFinished.class).size());
    Map<String, Long> assigned = shards.tables(0).queues().get("workq").getAssigned();
    assertEquals(Map.of("ncpus", 0L, "nodect", 0L), assigned);
  }

  @Test
  void theEndOfAnotherRunIsIgnored() {
    StartRun run = shards.running("ann");
    shards.finished(StartRun.newBuilder(run).setRun(2).build(), 0);
    shards.finished(StartRun.newBuilder(run).setJobId("77.mill").build(), 0);
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()));
    assertEquals(0, shards.facts(RunFinished.class).size());
  }

  @Test
  void aFailedStartIsTriedAgainAndHeldAfter21() {
    String job = shards.submit(Calls.job("ann", "workq", 1));
    for (int i = 1; i <= 21; i++) {
      assertEquals(0, shards.grant(job, "default", "n0", 1).getCode(), "run " + i);
      assertEquals(i, shards.lastStart().getRun());
      shards.finished(shards.lastStart(), -3);
      assertEquals(i == 21 ? JobStatus.HELD : JobStatus.QUEUED, shards.status(job));
    }
    Job held = shards.job(job);
    assertEquals("s", held.getHolds());
    assertEquals(0, held.getRunCount(), "none has begun");
    assertNull(held.getAllocation());
    assertEquals(List.of(), shards.holdings(0, "n0"));
    assertEquals(15007, shards.code(0, Calls.release(shards.user("ann"), job, "s")));
    assertEquals(0, shards.code(0, Calls.release(shards.manager(), job, "s")));
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @Test
  void aJobWhoseFilesDoNotComeWaitsHalfAnHour() {
    StartRun run = shards.running("ann");
    shards.finished(run, ExitStatus.STAGE_IN_FAILED);
    Job job = shards.job(run.getJobId());
    assertEquals(JobStatus.HELD, job.getStatus());
    assertEquals("w", job.getHolds());
    long asked = job.getSpec().getExecutionMs();
    shards.pass(Deciders.STAGE_IN_AGAIN_MS + 1000);
    assertEquals(JobStatus.QUEUED, shards.status(run.getJobId()));
    assertEquals(asked, shards.job(run.getJobId()).getSpec().getExecutionMs());
  }

  @Test
  void whatARunSaysAtItsEndIsKeptWhenItsJobRunsAgain() {
    for (String said : List.of("", "cannot deliver output: /no: No such file or directory")) {
      StartRun run = shards.running("ann");
      assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), run.getJobId())));
      ReportRunFinished end = Calls.finished(shards.executor(run.getHost()), run, 271);
      end.setMessage(said);
      shards.ask(0, end);
      RunRequeued again = shards.facts(RunRequeued.class).get(said.isEmpty() ? 0 : 1);
      assertEquals(said.isEmpty() ? "rerun" : "rerun: " + said, again.getWhy());
      assertEquals(ExitStatus.RERUN, again.getExitStatus());
      shards.ask(0, Calls.delete(shards.user("ann"), run.getJobId(), false));
    }
  }

  /** They are a program's own words, of which only numbers are wanted. */
  @Test
  void theStepsOfARunAreInTheFactOfItsEnd() {
    for (String said : List.of("1 0 20\n2 7 3", "", "1 0 20\nx")) {
      StartRun run = shards.running("ann");
      ReportRunFinished end = Calls.finished(shards.executor(run.getHost()), run, 0);
      end.setOutput(ByteBuffer.wrap(said.getBytes(StandardCharsets.UTF_8)));
      shards.ask(0, end);
    }
    List<String> steps =
        shards.facts(RunFinished.class).stream().map(RunFinished::getSteps).toList();
    assertEquals(List.of("1 0 20\n2 7 3", "", ""), steps);
  }

  /** It may be what a program of the job's owner has printed. */
  @Test
  void whatIsSaidOfAnEndSteersNoTerminal() {
    StartRun run = shards.running("ann");
    ReportRunFinished end = Calls.finished(shards.executor(run.getHost()), run, 1);
    end.setMessage("no \u001b[2J file\n\u009b2J");
    shards.ask(0, end);
    assertEquals("no  [2J file  2J", shards.facts(RunFinished.class).get(0).getMessage());
  }

  @Test
  void aRunThatEndedWithItsHostIsRunAgainWhereThatIsAllowed() {
    StartRun run = shards.running("ann");
    shards.started(run);
    shards.finished(run, ExitStatus.RERUN);
    assertEquals(JobStatus.QUEUED, shards.status(run.getJobId()));
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), run.getJobId(), false)));
    NewJob once = Calls.job("ann", "workq", 1);
    once.getSpec().setRerunnable(false);
    String job = shards.submit(once);
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    shards.finished(shards.lastStart(), ExitStatus.RERUN);
    assertEquals(JobStatus.FINISHED, shards.status(job));
    assertEquals(ExitStatus.RERUN, shards.job(job).getExitStatus());
    StartRun deleted = shards.running("ann");
    shards.ask(0, Calls.delete(shards.user("ann"), deleted.getJobId(), false));
    shards.finished(deleted, ExitStatus.RERUN);
    assertEquals(JobStatus.FINISHED, shards.status(deleted.getJobId()));
  }

  @Test
  void aFailedStartOfAJobThatIsBeingDeletedEndsIt() {
    StartRun run = shards.running("ann");
    shards.ask(0, Calls.delete(shards.user("ann"), run.getJobId(), false));
    shards.finished(run, -3);
    assertEquals(JobStatus.FINISHED, shards.status(run.getJobId()));
  }

  @Test
  void theHistoryOfAJobKeepsItsBeginningAndItsEnd() {
    String job = shards.submit(Calls.job("ann", "workq", 1));
    for (int i = 0; i < 40; i++) {
      shards.ask(0, Calls.hold(shards.user("ann"), job, "u"));
      shards.ask(0, Calls.release(shards.user("ann"), job, "u"));
    }
    List<JobEvent> events = shards.job(job).getEvents();
    assertEquals(64, events.size());
    assertEquals("queued", events.get(0).getWhat());
    assertEquals("released", events.get(63).getWhat());
  }
}
