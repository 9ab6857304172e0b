package io.millrace.server.core.run.missing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.RunName;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs whose order never reached their host, or of which the host knows nothing any more. */
class MissingTest {
  private final TestShards shards = TestShards.threePartitions();

  private List<AskRuns> questions() {
    return shards.dispatch().stream()
        .filter(AskRuns.class::isInstance)
        .map(AskRuns.class::cast)
        .toList();
  }

  private static RunName name(StartRun run) {
    return new RunName(run.getJobId(), run.getRun(), 0);
  }

  private void missing(StartRun run) {
    shards.send(0, Calls.missing(shards.executor("n0"), name(run), "n0"));
    shards.run();
  }

  private void lookAfterRuns() {
    shards.send(
        0,
        new Continue(shards.calls.silent("shard-0", Role.SHARD, shards.nowMs), RollCall.WORK, ""));
    shards.run();
  }

  private StartRun runningOnce(String owner) {
    NewJob wish = Calls.job(owner, "workq", 1);
    wish.getSpec().setRerunnable(false);
    assertEquals(0, shards.grant(shards.submit(wish), "default", "n0", 1).getCode());
    return shards.lastStart();
  }

  @Test
  void aHostThatComesBackIsAskedAfterItsRunsBehindTheirOrders() {
    StartRun one = shards.running("ann");
    StartRun other = shards.running("bob");
    shards.started(one);
    shards.nodeUp("n0", 4);
    assertEquals(
        List.of(new AskRuns("n0", 0, List.of(name(one), name(other)), Calls.SPOOL)), questions());
    List<?> orders = shards.dispatch();
    assertTrue(orders.indexOf(questions().get(0)) > orders.indexOf(other));
    shards.nodeUp("e0", 4);
    assertEquals(1, questions().size(), "nothing runs there");
  }

  @Test
  void aRunThatNeverBeganIsGivenUpOnceAndTheJobRunsUnderTheNextNumber() {
    StartRun run = shards.running("ann");
    missing(run);
    missing(run);
    assertEquals(1, shards.facts(RunRequeued.class).size());
    assertEquals(JobStatus.QUEUED, shards.status(run.getJobId()));
    assertEquals(0, shards.job(run.getJobId()).getRunCount());
    assertEquals(List.of(), shards.holdings(0, "n0"));
    assertEquals(0, shards.grant(run.getJobId(), "default", "n0", 1).getCode());
    assertEquals(2, shards.lastStart().getRun());
    missing(run);
    assertEquals(JobStatus.RUNNING, shards.status(run.getJobId()), "an answer about run 1");
  }

  @Test
  void theEndThatWasReportedBeforeTheHostForgotTheRunCounts() {
    StartRun run = shards.running("ann");
    shards.finished(run, 7);
    missing(run);
    assertEquals(7, shards.job(run.getJobId()).getExitStatus());
    assertEquals(0, shards.facts(RunRequeued.class).size());
  }

  @Test
  void aJobThatMustNotRunTwiceIsRequeuedOnlyIfItNeverBegan() {
    StartRun never = runningOnce("ann");
    missing(never);
    assertEquals(JobStatus.QUEUED, shards.status(never.getJobId()));
    StartRun begun = runningOnce("ann");
    shards.started(begun);
    missing(begun);
    Job job = shards.job(begun.getJobId());
    assertEquals(JobStatus.FINISHED, job.getStatus());
    assertEquals(ExitStatus.UNKNOWN, job.getExitStatus());
    assertEquals(1, job.getRunCount());
    assertEquals("host n0 has no such run", shards.facts(RunFinished.class).get(0).getMessage());
  }

  @Test
  void aRunThatWasToBeKilledEndsAsItsKillingWanted() {
    StartRun deleted = shards.running("ann");
    shards.ask(0, Calls.delete(shards.user("ann"), deleted.getJobId(), false));
    missing(deleted);
    assertEquals(JobStatus.FINISHED, shards.status(deleted.getJobId()));
    StartRun rerun = shards.running("ann");
    shards.ask(0, Calls.rerun(shards.operator(), rerun.getJobId()));
    missing(rerun);
    assertEquals(JobStatus.QUEUED, shards.status(rerun.getJobId()));
  }

  @Test
  void anOrderToKillThatMayBeLostIsGivenAgain() {
    StartRun run = shards.running("ann");
    shards.ask(0, Calls.delete(shards.user("ann"), run.getJobId(), false));
    int before = shards.dispatch().size();
    shards.nodeUp("n0", 4);
    List<?> after = shards.dispatch().subList(before, shards.dispatch().size());
    assertEquals(1, after.stream().filter(KillRun.class::isInstance).count());
  }

  @Test
  void aRunOfWhichNothingIsHeardForAWhileIsAskedAfter() {
    assertFalse(RollCall.wanted(shards.tables(0)));
    StartRun silent = shards.running("ann");
    StartRun started = shards.running("ann");
    shards.started(started);
    assertTrue(RollCall.wanted(shards.tables(0)));
    lookAfterRuns();
    assertEquals(List.of(), questions(), "its order is on its way");
    shards.pass(RollCall.SILENCE_MS);
    shards.running("bob");
    lookAfterRuns();
    assertEquals(List.of(new AskRuns("n0", 0, List.of(name(silent)), Calls.SPOOL)), questions());
  }

  @Test
  void aRunOfWhichNothingIsHeardIsAskedAfterWhateverBecomesOfItsJobMeanwhile() {
    StartRun silent = shards.running("ann");
    for (int i = 0; i < 4; i++) {
      shards.pass(RollCall.SILENCE_MS / 4);
      assertEquals(0, shards.code(0, Calls.signal(shards.user("ann"), silent.getJobId(), "USR1")));
      assertEquals(0, shards.code(0, rename(silent, i)));
    }
    lookAfterRuns();
    assertEquals(List.of(new AskRuns("n0", 0, List.of(name(silent)), Calls.SPOOL)), questions());
  }

  @Test
  void anOrderToKillIsGivenAgainWhateverBecomesOfItsJobMeanwhile() {
    StartRun run = shards.running("ann");
    shards.started(run);
    shards.pass(RollCall.SILENCE_MS);
    shards.ask(0, Calls.delete(shards.user("ann"), run.getJobId(), false));
    lookAfterRuns();
    assertEquals(1, kills(), "its order is on its way");
    for (int i = 0; i < 4; i++) {
      shards.pass(RollCall.SILENCE_MS / 4);
      assertEquals(0, shards.code(0, rename(run, i)));
    }
    lookAfterRuns();
    assertEquals(2, kills());
  }

  /** Only that one can say what became of them, as soon as it is asked. */
  @Test
  void anExecutorThatIsRefusedIsNotAskedAfterTheRunsOfTheOneThatHasTheHost() {
    StartRun lost = shards.running("ann");
    shards.send(0, Calls.nodeUp(shards.executor("n0"), "n0", "second", 2L, false));
    shards.run();
    assertEquals(List.of(), questions());
    shards.pass(RollCall.SILENCE_MS);
    lookAfterRuns();
    assertEquals(List.of(new AskRuns("n0", 0, List.of(name(lost)), Calls.SPOOL)), questions());
    missing(lost);
    assertEquals(JobStatus.QUEUED, shards.status(lost.getJobId()));
    assertEquals(List.of(), shards.holdings(0, "n0"));
  }

  private AlterJob rename(StartRun run, int number) {
    return AlterJob.newBuilder()
        .setMeta(shards.user("ann"))
        .setJobId(run.getJobId())
        .setName("name" + number)
        .build();
  }

  private long kills() {
    return shards.dispatch().stream().filter(KillRun.class::isInstance).count();
  }
}
