package io.millrace.server.core.run.finished;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.NoteHostLost;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.output.RunName;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.jobs.WrittenSteps;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A campaign's job of several tasks runs once: another run would begin with the first task. */
class WrittenStepsTest {
  private final TestShards shards = TestShards.threePartitions();

  private StartRun running(boolean rerunnable) {
    NewJob wish = Calls.job("ann", "workq", 1);
    wish.getSpec().setCampaign("1.2.3");
    wish.getSpec().setVariables(List.of(new Attribute(WrittenSteps.VARIABLE, "")));
    wish.getSpec().setRerunnable(rerunnable);
    CommandMeta meta = shards.calls.meta("ann", Role.CAMPAIGN, shards.nowMs);
    meta.setReplyTo(Topics.REPLY_TO_CAMPAIGNS);
    shards.send(CommandFamily.CAMPAIGN, 0, Calls.submit(meta, List.of(), wish));
    shards.run();
    List<JobQueued> queued = shards.facts(JobQueued.class);
    String job = queued.get(queued.size() - 1).getJob().getId();
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    return shards.lastStart();
  }

  private void force(StartRun run) {
    assertEquals(0, shards.code(0, new RerunJob(shards.operator(), run.getJobId(), true)));
  }

  private RunFinished over(StartRun run) {
    assertEquals(JobStatus.FINISHED, shards.status(run.getJobId()));
    assertEquals(List.of(), shards.holdings(0, "n0"));
    assertEquals(List.of(), shards.facts(RunRequeued.class));
    return shards.facts(RunFinished.class).get(0);
  }

  @Test
  void itIsOverWithTheRunThatWasToBeRerunAndTellsItsSteps() {
    StartRun run = running(false);
    shards.started(run);
    force(run);
    ReportRunFinished end = Calls.finished(shards.executor(run.getHost()), run, 271);
    end.setOutput(ByteBuffer.wrap("2 0 20\n".getBytes(StandardCharsets.UTF_8)));
    shards.ask(0, end);
    assertEquals(271, over(run).getExitStatus());
    assertEquals("2 0 20\n", over(run).getSteps());
  }

  @Test
  void alsoWhenSomebodyHasMadeItRerunnable() {
    StartRun run = running(true);
    shards.started(run);
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), run.getJobId())));
    shards.finished(run, ExitStatus.RERUN);
    assertEquals(ExitStatus.RERUN, over(run).getExitStatus());
  }

  @Test
  void aStartThatFailedIsTriedAgain() {
    StartRun run = running(false);
    force(run);
    shards.finished(run, ExitStatus.START_FAILED);
    assertEquals(JobStatus.QUEUED, shards.status(run.getJobId()));
  }

  @Test
  void itIsOverWhenItsHostDoesNotKnowIt() {
    StartRun run = running(true);
    shards.started(run);
    RunName name = new RunName(run.getJobId(), run.getRun(), 0);
    shards.send(0, Calls.missing(shards.executor("n0"), name, "n0"));
    shards.run();
    assertEquals(ExitStatus.UNKNOWN, over(run).getExitStatus());
  }

  private CommandMeta owner() {
    return shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
  }

  @Test
  void itIsOverWithItsHost() {
    StartRun run = running(true);
    shards.started(run);
    shards.send(0, new NoteHostSilent(owner(), "n0", Calls.SPOOL, 30L));
    shards.send(0, new NoteHostLost(owner(), "n0", Calls.SPOOL, 340L));
    shards.run();
    assertEquals(ExitStatus.NODE_FAILED, over(run).getExitStatus());
  }

  @Test
  void itIsOverWhenItsRerunIsForcedWhileItsHostIsAway() {
    StartRun run = running(false);
    shards.started(run);
    shards.send(0, new NoteHostSilent(owner(), "n0", Calls.SPOOL, 30L));
    shards.run();
    force(run);
    assertEquals(ExitStatus.NODE_FAILED, over(run).getExitStatus());
    assertEquals("ended by force, execution node n0 down", over(run).getMessage());
  }
}
