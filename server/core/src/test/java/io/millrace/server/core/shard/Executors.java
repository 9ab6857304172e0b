package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.NoteCputExceeded;
import io.millrace.schemas.command.NoteHostHeard;
import io.millrace.schemas.command.NoteHostLost;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.command.ReportRunAnswered;
import io.millrace.schemas.command.ReportRunOutside;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.RunName;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.state.Keys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.specific.SpecificRecord;

/** Executors of all hosts, two on each: reports late, twice and out of order. */
final class Executors {
  private static final List<String> HOSTS =
      List.of("n0", "e0", "w0", "m0", "m1", "m2", "shared", "stranger");
  private static final int[] EXITS = {0, 0, 0, 0, 1, 271, -3, -3};

  /** A report and the shard that waits for it. */
  private record Report(int shard, SpecificRecord command) {}

  private final Random random;
  private final TestShards shards;
  private final List<StartRun> active = new ArrayList<>();
  private final List<Report> said = new ArrayList<>();
  private final ArrayDeque<AskHost> questions = new ArrayDeque<>();
  private final ArrayDeque<AskRuns> rollCalls = new ArrayDeque<>();
  private final ArrayDeque<KillRun> kills = new ArrayDeque<>();
  private int boots;

  Executors(Random random, TestShards shards) {
    this.random = random;
    this.shards = shards;
  }

  void take(List<SpecificRecord> orders) {
    for (SpecificRecord order : orders) {
      if (order instanceof StartRun start) {
        servedByOne(start);
        if (random.nextInt(60) > 0) { // the others are lost on their way
          active.add(start);
        }
      } else if (order instanceof AskRuns question) {
        rollCalls.add(question);
      } else if (order instanceof KillRun kill) {
        kills.add(kill);
      } else if (order instanceof AskHost question) {
        questions.add(question);
      }
    }
  }

  /** While an executor has runs for a shard, no other one of the host gets orders from there. */
  private void servedByOne(StartRun order) {
    for (StartRun other : active) {
      if (other.getHost().equals(order.getHost())
          && other.getShard() == order.getShard()
          && current(other)) {
        assertEquals(other.getExecutor(), order.getExecutor(), order.getHost());
      }
    }
  }

  /** Not given up because nothing was heard of its host. */
  private boolean current(StartRun order) {
    Job job =
        shards.tables(order.getShard()).jobs().get(Keys.number(Keys.jobNumber(order.getJobId())));
    return job != null && job.getRun() == order.getRun() && job.getStatus() == JobStatus.RUNNING;
  }

  /** Nothing is heard of a host for a while. */
  void fallSilent() {
    String host = HOSTS.get(random.nextInt(HOSTS.size()));
    int shard = random.nextInt(TestShards.COUNT);
    CommandMeta meta = shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs);
    shards.send(shard, new NoteHostSilent(meta, host, Calls.SPOOL, 30L));
  }

  /** Nothing was heard of a host for so long that its runs are given up. */
  void beLost() {
    String host = HOSTS.get(random.nextInt(HOSTS.size()));
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      CommandMeta meta = shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs);
      shards.send(shard, new NoteHostLost(meta, host, Calls.SPOOL, 340L));
    }
  }

  /** A host that is down is heard again. */
  void beHeard() {
    String host = HOSTS.get(random.nextInt(HOSTS.size()));
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      CommandMeta meta = shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs);
      shards.send(shard, new NoteHostHeard(meta, host, Calls.SPOOL));
    }
  }

  /** A job that an executor works on. */
  Optional<String> anyJob() {
    return active.isEmpty()
        ? Optional.empty()
        : Optional.of(active.get(random.nextInt(active.size())).getJobId());
  }

  boolean busy() {
    return !active.isEmpty() || !questions.isEmpty() || !rollCalls.isEmpty() || !kills.isEmpty();
  }

  /** Says of each run that was asked after, or was to be ended, and is not here that it is not. */
  void answerRollCall() {
    while (!rollCalls.isEmpty()) {
      AskRuns question = rollCalls.poll();
      for (RunName run : question.getRuns()) {
        if (!here(run.getJobId(), run.getRun(), run.getTask())) {
          String host = question.getHost();
          say(question.getShard(), Calls.missing(shards.executor(host), run, host));
        }
      }
    }
    while (!kills.isEmpty()) {
      KillRun kill = kills.poll();
      if (!here(kill.getJobId(), kill.getRun(), kill.getTask())) {
        say(kill.getShard(), Calls.unknown(shards.executor(kill.getHost()), kill));
      }
    }
  }

  private boolean here(String jobId, int run, int task) {
    return active.stream()
        .anyMatch(o -> o.getJobId().equals(jobId) && o.getRun() == run && task(o) == task);
  }

  private static int task(StartRun order) {
    return order.getTask() == null ? 0 : order.getTask().getNumber();
  }

  /** The executor of every host, and no second one, says that it is there. */
  void allUp() {
    HOSTS.forEach(host -> firstUp(random.nextInt(TestShards.COUNT), host));
  }

  void reportStarted() {
    if (!active.isEmpty()) {
      StartRun order = active.get(random.nextInt(active.size()));
      say(order.getShard(), Calls.started(shards.executor(order.getHost()), order));
      if (order.getTask() != null) {
        useTooMuch(order);
      }
      tellOfOutside(order);
    }
    repeat();
  }

  /** Says that the run of a job has begun, where an executor has it. */
  void begin(String jobId) {
    active.stream()
        .filter(order -> order.getJobId().equals(jobId) && order.getTask() == null)
        .findFirst()
        .ifPresent(
            order -> say(order.getShard(), Calls.started(shards.executor(order.getHost()), order)));
  }

  /** A run has used more processor time on all its hosts than its job may, as far as is heard. */
  private void useTooMuch(StartRun order) {
    int shard = order.getShard();
    CommandMeta meta = shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs);
    shards.send(shard, new NoteCputExceeded(meta, order.getJobId(), order.getRun(), 17L));
  }

  /** As the executor of an outside cluster does while a run waits there. */
  private void tellOfOutside(StartRun order) {
    CommandMeta meta = shards.executor(order.getHost());
    String job = order.getJobId();
    boolean answers = order.getRun() % 2 == 0;
    shards.send(
        order.getShard(),
        answers
            ? new ReportRunAnswered(meta, job, order.getRun(), order.getHost(), "hold", true, "no")
            : new ReportRunOutside(meta, job, order.getRun(), order.getHost(), "it waits there"));
  }

  void reportFinished() {
    if (!active.isEmpty()) {
      finish(active.remove(random.nextInt(active.size())), EXITS[random.nextInt(EXITS.length)]);
    }
    repeat();
  }

  private void finish(StartRun order, int exitStatus) {
    say(order.getShard(), Calls.finished(shards.executor(order.getHost()), order, exitStatus));
  }

  void reportNodeUp() {
    nodeUp(random.nextInt(TestShards.COUNT), HOSTS.get(random.nextInt(HOSTS.size())));
  }

  private void nodeUp(int shard, String host) {
    if (random.nextInt(4) == 0) { // a second one, which was started by mistake
      shards.send(shard, Calls.nodeUp(shards.executor(host), host, "second", 2L, false));
      return;
    }
    firstUp(shard, host);
  }

  private void firstUp(int shard, String host) {
    String boot = "boot-" + (random.nextInt(3) == 0 ? ++boots : boots);
    shards.send(shard, Calls.nodeUp(shards.executor(host), host, 4, boot));
  }

  void answerAskHost() {
    while (!questions.isEmpty()) {
      AskHost question = questions.poll();
      nodeUp(question.getShard(), question.getHost());
    }
  }

  /** Ends all runs and answers all questions. */
  void finishAll() {
    List<StartRun> all = new ArrayList<>(active);
    active.clear();
    all.forEach(order -> finish(order, 0));
    answerAskHost();
    answerRollCall();
  }

  private void say(int shard, SpecificRecord command) {
    said.add(new Report(shard, command));
    shards.send(shard, command);
  }

  private void repeat() {
    if (!said.isEmpty() && random.nextInt(5) == 0) {
      Report again = said.get(Math.max(0, said.size() - 1 - random.nextInt(30)));
      shards.send(again.shard(), again.command());
    }
  }
}
