package io.millrace.server.core.run.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.LaunchTask;
import io.millrace.schemas.command.NoteCputExceeded;
import io.millrace.schemas.command.NoteHostLost;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.CommandAnswered;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.TaskEnded;
import io.millrace.schemas.fact.TaskOrdered;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.RunName;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.run.missing.RollCall;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Programs of a run on its other hosts. */
class TaskTest {
  private final TestShards shards = TestShards.threePartitions();
  private StartRun script;
  private String job;

  /** The usual node_fail_requeue. */
  @BeforeEach
  void runOnTwoHosts() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n1");
    shards.nodeUp("n1", 4);
    Chunk chunk = new Chunk(2, Map.of("ncpus", 1L), Map.of());
    job = shards.submit(Calls.job("ann", "workq", Calls.request("scatter", chunk)));
    Reply reply =
        shards.ask(
            0,
            Calls.run(
                shards.engine("default"),
                "default",
                shards.epoch("default"),
                job,
                Calls.share("n0", 1, 1),
                Calls.share("n1", 1, 1)));
    assertEquals(0, reply.getCode(), reply.toString());
    script = shards.lastStart();
    shards.started(script);
  }

  /** Orders a task, and says what the order is. */
  private StartRun launch(int place) {
    shards.post(0, Calls.launch(shards.user("ann"), job, 1, place));
    shards.run();
    return shards.lastStart();
  }

  private <T> List<T> orders(Class<T> type) {
    return shards.dispatch().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private void ended(StartRun task, int exitStatus, String printed, long cputS) {
    ReportRunFinished report = Calls.finished(shards.executor(task.getHost()), task, exitStatus);
    report.setOutput(ByteBuffer.wrap(printed.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    report.setUsed(new Usage(cputS, 100L, 200L, 1L, 1, 0));
    shards.send(0, report);
    shards.run();
  }

  @Test
  void aTaskGoesToItsHostOnceAndItsEndAnswersTheCommand() {
    LaunchTask command = Calls.launch(shards.user("ann"), job, 1, 1);
    CommandMeta meta = shards.post(0, command);
    shards.run();
    StartRun task = shards.lastStart();
    assertEquals("n1", task.getHost());
    assertEquals(1, task.getTask().getNumber());
    assertEquals(List.of("/bin/hostname"), task.getTask().getArgv());
    assertTrue(shards.replies(meta).get(0).getInterim());
    shards.send(0, command); // a gateway that was started again
    shards.run();
    assertEquals(1, shards.facts(0, TaskOrdered.class).size());
    ended(task, 3, "n1\n", 7);
    List<Reply> replies = shards.replies(meta);
    assertEquals(List.of("3", "", "n1\n", ""), replies.get(replies.size() - 1).getLines());
    shards.send(0, command);
    shards.run();
    assertEquals(1, shards.facts(0, TaskOrdered.class).size());
    assertEquals(4, shards.replies(meta).size());
    assertEquals(
        List.of("3", "", "n1\n", ""),
        shards.replies(meta).get(3).getLines(),
        "the same answer again");
    ended(task, 0, "", 100); // told twice
    shards.finished(script, 0);
    RunFinished end = shards.facts(0, RunFinished.class).get(0);
    assertEquals(7, end.getUsed().getCputS(), "the script used nothing");
    assertNull(shards.job(job).getTasks());
  }

  @Test
  void ofALongOutputNothingIsRemembered() {
    LaunchTask command = Calls.launch(shards.user("ann"), job, 1, 1);
    CommandMeta meta = shards.post(0, command);
    shards.run();
    String printed = "x".repeat(5000);
    ended(shards.lastStart(), 3, printed, 7);
    assertEquals(List.of("3", "", printed, ""), shards.answer(meta).getLines());
    CommandAnswered kept =
        shards.facts(0, CommandAnswered.class).stream()
            .filter(fact -> fact.getAnswer().getId().equals(meta.getId()))
            .findAny()
            .get();
    String why = "what it printed (5000 bytes) was told once and is not kept";
    assertEquals(List.of("3", why, "", ""), kept.getAnswer().getLines());
    shards.send(0, command);
    shards.run();
    List<Reply> replies = shards.replies(meta);
    assertEquals(List.of("3", why, "", ""), replies.get(replies.size() - 1).getLines());
  }

  @Test
  void onlyTheRunningRunOfTheOwnerGetsTasks() {
    assertEquals(15007, shards.code(0, Calls.launch(shards.user("bob"), job, 1, 0)));
    assertEquals(15007, shards.code(0, Calls.launch(shards.operator(), job, 1, 0)));
    assertEquals(15007, shards.code(0, Calls.launch(shards.manager(), job, 1, 0)));
    assertEquals(15016, shards.code(0, Calls.launch(shards.user("ann"), job, 2, 0)));
    assertEquals(15004, shards.code(0, Calls.launch(shards.user("ann"), job, 1, 2)));
    assertEquals(15004, shards.code(0, Calls.launch(shards.user("ann"), job, 1, -1)));
    assertEquals(15001, shards.code(0, Calls.launch(shards.user("ann"), "999.mill", 1, 0)));
    shards.finished(script, 0);
    assertEquals(15016, shards.code(0, Calls.launch(shards.user("ann"), job, 1, 0)));
    assertEquals(List.of(), shards.facts(0, TaskOrdered.class));
  }

  @Test
  void aJobThatIsLeavingGetsNone() {
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), job)));
    shards.finished(script, 271);
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    shards.send(0, Calls.move(shards.user("ann"), job, "east"));
    shards.run();
    Reply reply = shards.ask(0, Calls.launch(shards.user("ann"), job, 1, 0));
    assertEquals(15016, reply.getCode(), reply.toString());
    shards.silence(east, false);
    shards.run();
    assertEquals(15016, shards.code(0, Calls.launch(shards.user("ann"), job, 1, 0)));
  }

  @Test
  void aRunHasSoManyTasksAtATime() {
    for (int i = 0; i < Deciders.LIVE_MAX; i++) {
      launch(i % 2);
    }
    Reply reply = shards.ask(0, Calls.launch(shards.user("ann"), job, 1, 0));
    assertEquals(15016, reply.getCode());
    assertTrue(reply.getLines().get(0).contains("256 tasks"), reply.toString());
  }

  @Test
  void theRunEndsAfterItsLastTask() {
    StartRun first = launch(1);
    StartRun second = launch(0);
    shards.finished(script, 5);
    assertEquals(JobStatus.EXITING, shards.status(job));
    List<KillRun> kills = orders(KillRun.class);
    assertEquals(List.of(1, 2), kills.stream().map(KillRun::getTask).toList());
    assertEquals(List.of("n1", "n0"), kills.stream().map(KillRun::getHost).toList());
    assertTrue(kills.stream().allMatch(kill -> kill.getKillDelayS() == 0));
    assertEquals(1, shards.holdings(0, "n1").size(), "its processes are still there");
    shards.finished(script, 1); // told twice
    ended(first, 265, "", 2);
    assertEquals(JobStatus.EXITING, shards.status(job));
    ended(second, 265, "", 3);
    Job over = shards.job(job);
    assertEquals(JobStatus.FINISHED, over.getStatus());
    assertEquals(5, over.getExitStatus());
    assertEquals(5, over.getUsed().getCputS());
    assertEquals(List.of(), shards.holdings(0, "n1"));
  }

  @Test
  void whoeverEndsTheRunEndsItsTasks() {
    StartRun task = launch(1);
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), job)));
    assertEquals(List.of(0, 1), orders(KillRun.class).stream().map(KillRun::getTask).toList());
    assertEquals(15016, shards.code(0, Calls.launch(shards.user("ann"), job, 1, 0)));
    shards.finished(script, 271);
    assertEquals(JobStatus.EXITING, shards.status(job));
    ended(task, 271, "", 0);
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertNull(shards.job(job).getTasks());
  }

  @Test
  void signalsReachEachHost() {
    launch(1);
    assertEquals(0, shards.code(0, Calls.signal(shards.user("ann"), job, "USR1")));
    assertEquals(0, shards.code(0, Calls.signal(shards.operator(), job, "suspend")));
    assertEquals(
        List.of("n0 0 10", "n1 1 10", "n0 0 suspend", "n1 1 suspend"),
        orders(SignalRun.class).stream()
            .map(order -> order.getHost() + " " + order.getTask() + " " + order.getSignal())
            .toList());
    launch(0);
    List<SignalRun> told = orders(SignalRun.class);
    assertEquals("suspend", told.get(told.size() - 1).getSignal(), "it was asked for just before");
    assertEquals(2, told.get(told.size() - 1).getTask());
  }

  @Test
  void whatARunUsedOnAllItsHostsIsToldToItsScript() {
    launch(1);
    CommandMeta owner = shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
    shards.send(0, new NoteCputExceeded(owner, job, 2, 17L)); // of another run
    shards.run();
    assertEquals(0, orders(SignalRun.class).size());
    owner = shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
    shards.send(0, new NoteCputExceeded(owner, job, 1, 17L));
    shards.run();
    List<SignalRun> told = orders(SignalRun.class);
    assertEquals(1, told.size());
    assertEquals("cput17", told.get(0).getSignal());
    assertEquals("n0", told.get(0).getHost());
    assertEquals(0, told.get(0).getTask());
  }

  @Test
  void aHostThatLostATaskIsAskedAfterIt() {
    StartRun task = launch(1);
    shards.pass(RollCall.INTERVAL_MS + 1000);
    CommandMeta meta = shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
    shards.send(0, new Continue(meta, RollCall.WORK, ""));
    shards.run();
    List<AskRuns> questions = orders(AskRuns.class);
    AskRuns question = questions.get(questions.size() - 1);
    assertEquals("n1", question.getHost());
    RunName name = question.getRuns().get(0);
    assertEquals(1, name.getTask());
    shards.finished(script, 0);
    assertEquals(JobStatus.EXITING, shards.status(job));
    shards.send(0, Calls.missing(shards.executor("n1"), name, "n1"));
    shards.run();
    assertEquals(JobStatus.FINISHED, shards.status(job));
    ended(task, 0, "", 0); // it is of no interest any more
    assertEquals(JobStatus.FINISHED, shards.status(job));
  }

  @Test
  void aLostScriptTakesItsTasksAlong() {
    StartRun task = launch(1);
    RunName name = new RunName(job, 1, 0);
    shards.send(0, Calls.missing(shards.executor("n0"), name, "n0"));
    shards.run();
    assertEquals(JobStatus.EXITING, shards.status(job));
    ended(task, 265, "", 0);
    assertEquals(JobStatus.QUEUED, shards.status(job), "it may run again");
  }

  private void lost(String node) {
    silent(node);
    CommandMeta owner = shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
    String executor = shards.tables(0).nodes().get(node).getExecutor();
    shards.send(0, new NoteHostLost(owner, node, executor, 340L));
    shards.run();
  }

  @Test
  void tasksOfALostNodeEndAndTheRunGoesOn() {
    CommandMeta meta = shards.post(0, Calls.launch(shards.user("ann"), job, 1, 1));
    shards.post(0, Calls.launch(shards.user("ann"), job, 1, 1));
    shards.run();
    lost("n1");
    assertEquals(JobStatus.RUNNING, shards.status(job));
    List<Reply> replies = shards.replies(meta);
    assertEquals(
        List.of("-4", "execution node n1 down", "", ""),
        replies.get(replies.size() - 1).getLines());
    assertEquals(2, shards.facts(0, TaskEnded.class).size());
    List<KillRun> ends = orders(KillRun.class);
    assertEquals(List.of(1, 2), ends.stream().map(KillRun::getTask).toList(), "if it comes back");
    assertTrue(ends.stream().allMatch(KillRun::getDiscard));
    shards.finished(script, 0);
    assertEquals(JobStatus.FINISHED, shards.status(job));
  }

  @Test
  void aTaskThatIsOfNoInterestIsEndedWheneverItsHostNamesIt() {
    StartRun task = launch(1);
    shards.started(task);
    assertEquals(List.of(), orders(KillRun.class), "it goes on");
    ended(task, -4, "", 0);
    shards.started(task);
    assertEquals(1, shards.lastKill().getTask());
    assertTrue(shards.lastKill().getDiscard());
    assertEquals(JobStatus.RUNNING, shards.status(job));
    StartRun other = launch(1);
    shards.finished(script, 0);
    ended(other, 265, "", 0);
    int ends = orders(KillRun.class).size();
    shards.started(other);
    assertEquals(ends + 1, orders(KillRun.class).size());
  }

  @Test
  void aRunThatIsOverEndsWithTheTasksThatAreLost() {
    launch(1);
    launch(1);
    shards.finished(script, 3);
    assertEquals(JobStatus.EXITING, shards.status(job));
    lost("n1");
    assertEquals(JobStatus.FINISHED, shards.status(job));
    assertEquals(3, shards.job(job).getExitStatus());
  }

  private void silent(String node) {
    CommandMeta owner = shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
    String executor = shards.tables(0).nodes().get(node).getExecutor();
    shards.send(0, new NoteHostSilent(owner, node, executor, 30L));
    shards.run();
  }

  private void deleteByForce() {
    DeleteJob force = new DeleteJob(shards.user("ann"), job, false, List.of(), false, true, false);
    assertEquals(0, shards.code(0, force));
  }

  @Test
  void whoeverDeletesByForceWaitsForNoTaskOfASilentHost() {
    launch(1);
    silent("n1");
    deleteByForce();
    assertEquals(JobStatus.RUNNING, shards.status(job), "the script's host is heard");
    assertEquals(1, shards.facts(0, TaskEnded.class).size());
    shards.finished(script, 271);
    assertEquals(JobStatus.FINISHED, shards.status(job));
    assertEquals(List.of(), shards.holdings(0, "n1"));
  }

  @Test
  void aScriptThatIsOverDoesNotKeepWhoDeletesByForceWaiting() {
    launch(1);
    launch(1);
    shards.finished(script, 3);
    assertEquals(JobStatus.EXITING, shards.status(job));
    silent("n1");
    deleteByForce();
    assertEquals(JobStatus.FINISHED, shards.status(job));
    assertEquals(List.of(), shards.holdings(0, "n1"));
  }

  @Test
  void aScriptThatIsOverIsNotRunAgainWhenItsNodeIsLost() {
    StartRun task = launch(1);
    launch(0);
    shards.finished(script, 3);
    lost("n0");
    assertEquals(JobStatus.EXITING, shards.status(job), "a task on the other node is left");
    ended(task, 0, "", 0);
    assertEquals(JobStatus.FINISHED, shards.status(job));
    assertEquals(3, shards.job(job).getExitStatus());
  }

  @Test
  void whoWaitsForATaskOfARunThatIsGivenUpIsTold() {
    List<CommandMeta> waiting = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      waiting.add(shards.post(0, Calls.launch(shards.user("ann"), job, 1, i % 2)));
    }
    shards.run();
    lost("n0");
    assertEquals(JobStatus.QUEUED, shards.status(job));
    for (CommandMeta meta : waiting) {
      assertEquals(List.of("-4", "execution node n0 down", "", ""), shards.answer(meta).getLines());
    }
    assertEquals(40, shards.facts(0, TaskEnded.class).size());
  }

  @Test
  void theTasksOfARunThatIsGivenUpAreEnded() {
    launch(1);
    lost("n0");
    assertEquals(JobStatus.QUEUED, shards.status(job));
    List<KillRun> ends = orders(KillRun.class);
    assertEquals(List.of(1, 0), ends.stream().map(KillRun::getTask).toList());
    assertEquals("n1", ends.get(0).getHost());
    assertTrue(ends.stream().allMatch(KillRun::getDiscard));
    assertNull(shards.job(job).getTasks());
  }

  @Test
  void anOldCommandOfWhichNothingIsRememberedStartsNothing() {
    LaunchTask command = Calls.launch(shards.user("ann"), job, 1, 1);
    CommandMeta meta = shards.post(0, command);
    shards.run();
    StartRun task = shards.lastStart();
    shards.pass(20 * 60_000L);
    shards.send(0, command);
    shards.run();
    assertTrue(shards.replies(meta).get(1).getInterim(), "it still waits");
    ended(task, 0, "", 0);
    shards.pass(14 * 60_000L);
    shards.send(0, command);
    shards.run();
    List<Reply> replies = shards.replies(meta);
    assertEquals(
        List.of("0", "", "", ""),
        replies.get(replies.size() - 1).getLines(),
        "what came of it is told for a while, however late it came");
    shards.pass(3 * 60_000L);
    shards.send(0, command);
    shards.run();
    replies = shards.replies(meta);
    assertEquals(15403, replies.get(replies.size() - 1).getCode());
    assertEquals(1, shards.facts(0, TaskOrdered.class).size());
  }

  @Test
  void aCommandThatIsSentLongAfterItWasMadeOrdersItsTaskOnce() {
    LaunchTask first = Calls.launch(shards.user("ann"), job, 1, 0);
    LaunchTask second = Calls.launch(shards.user("ann"), job, 1, 1);
    shards.send(0, first);
    shards.run();
    StartRun task = shards.lastStart();
    shards.pass(20 * 60_000L);
    ended(task, 0, "", 0);
    shards.send(0, second);
    shards.run();
    task = shards.lastStart();
    assertEquals(2, task.getTask().getNumber());
    shards.send(0, second);
    shards.run();
    ended(task, 0, "", 0);
    shards.pass(20 * 60_000L);
    assertEquals(15403, again(second));
    assertEquals(15403, again(first));
    assertEquals(2, shards.facts(0, TaskOrdered.class).size());
  }

  /** The code with which a command is answered that was answered before. */
  private int again(LaunchTask command) {
    shards.send(0, command);
    shards.run();
    List<Reply> replies = shards.replies(command.getMeta());
    return replies.get(replies.size() - 1).getCode();
  }

  @Test
  void ofVeryManyCommandsARunRemembersTheLatest() {
    LaunchTask unused = Calls.launch(shards.user("ann"), job, 1, 0);
    shards.nowMs += 1000;
    LaunchTask late = null;
    for (int i = 0; i <= TaskCommandMemory.KEPT_MAX; i++) {
      StartRun task = launch(0);
      if (i == 1) {
        late = Calls.launch(shards.user("ann"), job, 1, 0);
      }
      ended(task, 0, "", 0);
    }
    assertEquals(TaskCommandMemory.KEPT_MAX, shards.job(job).getTasks().getOrderedBy().size());
    shards.pass(20 * 60_000L);
    assertEquals(15403, shards.code(0, unused), "it may have ordered the one that is left out");
    shards.post(0, late);
    shards.run();
    assertEquals(TaskCommandMemory.KEPT_MAX + 2, shards.lastStart().getTask().getNumber());
  }
}
