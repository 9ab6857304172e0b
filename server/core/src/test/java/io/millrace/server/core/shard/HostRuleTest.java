package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.command.ReportRunAnswered;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunOutside;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.RunName;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An executor speaks for its host only, whatever its reports say. */
class HostRuleTest {
  private final TestShards shards = TestShards.threePartitions();
  private final List<CommandOutcome> outcomes = new ArrayList<>();
  private StartRun script;
  private StartRun task;

  /** A run whose script is on n0, with a task on n1. */
  @BeforeEach
  void runOnTwoHosts() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n1");
    shards.nodeUp("n1", 4);
    Chunk chunk = new Chunk(2, Map.of("ncpus", 1L), Map.of());
    String job = shards.submit(Calls.job("ann", "workq", Calls.request("scatter", chunk)));
    shards.ask(
        0,
        Calls.run(
            shards.engine("default"),
            "default",
            shards.epoch("default"),
            job,
            Calls.share("n0", 1, 1),
            Calls.share("n1", 1, 1)));
    script = shards.lastStart();
    shards.post(0, Calls.launch(shards.user("ann"), job, 1, 1));
    shards.run();
    task = shards.lastStart();
    assertEquals("n0", script.getHost());
    assertEquals("n1", task.getHost());
    shards.observe((shard, it, outcome, facts) -> outcomes.add(outcome));
  }

  private CommandOutcome tell(String proven, SpecificRecord report) {
    outcomes.clear();
    shards.send(CommandFamily.EXECUTOR, proven, script.getShard(), report);
    shards.run();
    return outcomes.get(0);
  }

  private void refused(String reason, String proven, SpecificRecord report) {
    List<Object> before = shards.everything();
    CommandOutcome outcome = tell(proven, report);
    assertEquals(reason, outcome.refusal(), report.toString());
    assertEquals(PbsError.COMMAND_FAMILY.code(), outcome.code());
    assertEquals(List.of(), outcome.replies());
    assertEquals(before, shards.everything());
    String line = RefusalText.of(CommandFamily.EXECUTOR, proven, report, outcome.refusal());
    String from = proven.isEmpty() ? "" : " host=" + proven;
    assertTrue(line.startsWith("refused family=executor" + from + " reason=" + reason), line);
  }

  /** What the host of a run, or of a task, tells of it; each in a command of its own. */
  private List<SpecificRecord> reports(StartRun order, String names) {
    ReportRunStarted started = Calls.started(shards.executor(names), order);
    started.setHost(names);
    ReportRunFinished finished = Calls.finished(shards.executor(names), order, 0);
    finished.setHost(names);
    int number = order.getTask() == null ? 0 : order.getTask().getNumber();
    RunName run = new RunName(order.getJobId(), order.getRun(), number);
    return List.of(started, finished, Calls.missing(shards.executor(names), run, names));
  }

  @Test
  void whatNothingProvesIsNotDecided() {
    for (StartRun order : List.of(script, task)) {
      reports(order, order.getHost()).forEach(report -> refused("proof", "", report));
    }
    refused("proof", "", Calls.nodeUp(shards.executor("n0"), "n0", 99));
  }

  @Test
  void aHostDoesNotSpeakInTheNameOfAnother() {
    for (String other : List.of("e0", "n1", "nowhere")) {
      reports(script, "n0").forEach(report -> refused("host", other, report));
      refused("host", other, Calls.nodeUp(shards.executor(other), "n0", 99));
      ReportNodeUp robs = Calls.nodeUp(shards.executor(other), "n0", "other-spool", 2L, true);
      refused("host", other, robs);
    }
    reports(task, "n1").forEach(report -> refused("host", "n0", report));
  }

  @Test
  void aHostTellsNothingOfRunsOnAnother() {
    for (String other : List.of("e0", "n1", "nowhere")) {
      reports(script, other).forEach(report -> refused("run", other, report));
    }
    for (String other : List.of("e0", "n0", "nowhere")) {
      reports(task, other).forEach(report -> refused("run", other, report));
    }
  }

  /** The hosts of an outside cluster have one key, which is that of no other host. */
  @Test
  void theHostsOfAClusterTellNothingOfOthers() {
    for (String other : List.of("n1@c1", "n0@c1")) {
      reports(script, "n0").forEach(report -> refused("host", other, report));
      reports(script, other).forEach(report -> refused("run", other, report));
      ReportRunOutside outside =
          new ReportRunOutside(
              shards.executor(other), script.getJobId(), script.getRun(), other, "lost");
      refused("run", other, outside);
      outside.setHost("n0");
      refused("host", other, outside);
      ReportRunAnswered answered =
          new ReportRunAnswered(
              shards.executor(other),
              script.getJobId(),
              script.getRun(),
              other,
              "hold",
              true,
              "no");
      refused("run", other, answered);
      refused("host", other, Calls.nodeUp(shards.executor(other), "n0", 99));
    }
  }

  @Test
  void itsOwnRunsAndTasksAreHeard() {
    assertEquals("", tell("n0", reports(script, "n0").get(0)).refusal());
    assertEquals("", tell("n1", reports(task, "n1").get(1)).refusal());
    assertEquals("", tell("n0", reports(script, "n0").get(1)).refusal());
    assertEquals(JobStatus.FINISHED, shards.job(script.getJobId()).getStatus());
  }

  /** It may have been told to end it while nobody heard it. */
  @Test
  void whoGoesOnWithARunThatIsOverIsToldAndNobodyElse() {
    shards.finished(task, 0);
    shards.finished(script, 0);
    assertEquals("", tell("e0", reports(script, "e0").get(0)).refusal());
    KillRun kill = shards.lastKill();
    assertEquals("e0", kill.getHost());
    assertTrue(kill.getDiscard());
  }
}
