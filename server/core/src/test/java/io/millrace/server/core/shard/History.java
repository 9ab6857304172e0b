package io.millrace.server.core.shard;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.ExchangeJobs;
import io.millrace.schemas.command.LaunchTask;
import io.millrace.schemas.command.MessageJob;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.command.Tick;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.state.IndexSteps;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobBlock;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.run.missing.RollCall;
import io.millrace.server.core.run.suspend.StrandedRuns;
import io.millrace.server.core.snapshot.Snapshots;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/**
 * A random history of a cluster, the same for the same seed: users, administrators, engines and
 * executors at once, with repeated and late messages, silent shards and jumps of the clock.
 */
final class History {
  static final List<String> QUEUES = List.of("workq", "east", "west", "q0", "q1", "q2", "q3", "r0");
  private static final List<String> USERS = List.of("ann", "bob", "cy");
  static final List<String> HOLDS = List.of("u", "o", "s", "uo", "so", "n", "uos");
  private static final List<String> SIGNALS =
      List.of("suspend", "suspend", "resume", "resume", "USR1", "admin-resume", "NOSUCH");
  private static final long HOUR_MS = 3_600_000;
  private static final List<Long> LEAPS_MS =
      List.of(0L, 0L, HOUR_MS, 48 * HOUR_MS, 365 * 24 * HOUR_MS, -HOUR_MS);
  private static final int WAITING_MAX = 150;
  private static final int RECENT = 60;
  private static final int STEPS_MAX = 12;

  /** One finds each run of which nobody has heard; its question may be lost, and the next one. */
  private static final int ROLL_CALLS_MAX = 5;

  /** Minutes after the last act. */
  private static final int WAITS = 3;

  /** A command and the shard that it was sent to. */
  private record Sent(int shard, SpecificRecord command) {}

  private record Act(int weight, Runnable act) {}

  final TestShards shards = new TestShards();
  private final Random random;
  private long allAheadMs;
  private final List<String> jobs = new ArrayList<>();
  private final List<Sent> sent = new ArrayList<>();
  private final List<TestShards.Observer> observers = new ArrayList<>();
  private final List<Act> acts;
  private final int weights;
  private final DirectiveCalls directives;
  private final EngineCalls engines;
  private final ReservationActs reservations;
  private final Executors executors;
  private final ShareCalls shares;
  private final ReservationScenes scenes;
  private final JobWishes wishes;

  /** Every command that waits for an answer, by its id. */
  final Map<String, SpecificRecord> asked = new TreeMap<>();

  /** Of commands whose family may not send them, whatever role they claim. */
  final List<CommandMeta> forged = new ArrayList<>();

  /** Ids of those that were sent more than once. */
  final Set<String> repeated = new TreeSet<>();

  History(long seed, TestShards.Observer... observers) {
    random = new Random(seed);
    this.observers.addAll(List.of(observers));
    shards.observe(this::stepped);
    directives = new DirectiveCalls(random, shards);
    engines = new EngineCalls(random, shards);
    reservations = new ReservationActs(random, shards, this::send);
    executors = new Executors(random, shards);
    shares = new ShareCalls(seed, shards);
    scenes = new ReservationScenes(random, shards, executors);
    wishes = new JobWishes(random, shards, this::job, executors::anyJob);
    acts = acts();
    weights = acts.stream().mapToInt(Act::weight).sum();
  }

  private List<Act> acts() {
    return List.of(
        new Act(14, this::submit),
        new Act(4, () -> user(m -> Calls.hold(m, job(), pick(HOLDS)))),
        new Act(5, () -> user(m -> Calls.release(m, job(), pick(HOLDS)))),
        new Act(4, () -> user(m -> directives.alter(m, job(), pick(HOLDS)))),
        new Act(2, () -> user(m -> wishes.depending(m, job()))),
        new Act(8, () -> user(m -> Calls.move(m, job(), pick(QUEUES)))),
        new Act(5, () -> user(m -> Calls.delete(m, perhapsRunning(), chance(30)))),
        new Act(2, this::deletePart),
        new Act(3, () -> user(m -> Calls.rerun(m, perhapsRunning()))),
        new Act(8, () -> user(m -> signal(m, perhapsRunning()))),
        new Act(6, () -> executors.anyJob().ifPresent(engines::suspendOrResume)),
        new Act(3, () -> executors.anyJob().ifPresent(this::standOrGoOn)),
        new Act(6, () -> executors.anyJob().ifPresent(this::launch)),
        new Act(8, () -> send(chance(5) ? any() : 0, directives.change(caller()))),
        new Act(24, () -> engines.propose(recent())),
        new Act(3, engines::start),
        new Act(2, engines::note),
        new Act(4, () -> engines.recordCycle(job())),
        new Act(3, () -> engines.preempt(perhapsRunning(), job())),
        new Act(4, () -> executors.anyJob().ifPresent(it -> engines.preempt(it, job()))),
        new Act(1, () -> engines.reject(job())),
        new Act(2, () -> user(m -> new ExchangeJobs(m, job(), job()))),
        new Act(2, () -> user(m -> new RunNow(m, job(), chance(60) ? List.of() : nodes()))),
        new Act(1, () -> user(m -> new MessageJob(m, perhapsRunning(), "E", "hello"))),
        new Act(1, this::limitArray),
        new Act(3, this::reserve),
        new Act(1, this::maintain),
        new Act(4, scenes::play),
        new Act(7, () -> reservations.look(any())),
        new Act(4, this::submitInto),
        new Act(3, () -> user(m -> reservations.ofRun(m, perhapsRunning(), shards.nowMs))),
        new Act(2, () -> user(m -> reservations.forJob(m, job(), shards.nowMs))),
        new Act(3, () -> reservations.change(caller(), shards.nowMs)),
        new Act(
            4, () -> reservations.report(shards.calls.silent("sites", Role.SITE, shards.nowMs))),
        new Act(9, executors::reportStarted),
        new Act(11, executors::reportFinished),
        new Act(3, executors::reportNodeUp),
        new Act(1, executors::fallSilent),
        new Act(3, executors::beHeard),
        new Act(5, executors::answerAskHost),
        new Act(3, executors::answerRollCall),
        new Act(2, () -> goOn(any(), RollCall.WORK)),
        new Act(1, () -> goOn(any(), StrandedRuns.WORK)),
        new Act(1, executors::beLost),
        new Act(2, () -> goOn(any(), Snapshots.WORK)),
        new Act(2, this::passTime),
        new Act(2, this::silence),
        new Act(4, this::repeat),
        new Act(1, this::wrongFamily));
  }

  private void stepped(
      int shard, SpecificRecord command, CommandOutcome outcome, List<SpecificRecord> facts) {
    for (SpecificRecord fact : facts) {
      if (fact instanceof JobQueued queued) {
        jobs.add(queued.getJob().getId());
      }
    }
    executors.take(outcome.dispatch());
    observers.forEach(o -> o.stepped(shard, command, outcome, facts));
  }

  /** Plays that many commands of the outside world. */
  void play(int commands) {
    shards.initialise();
    directives.first().forEach(command -> send(0, command));
    shares.load();
    shards.run();
    for (int i = 0; i < commands; i++) {
      act();
      shares.act();
      int steps = random.nextInt(STEPS_MAX);
      for (int s = 0; s < steps; s++) {
        step();
      }
      calmDown();
      if (chance(3)) {
        shards.silence(any(), false);
      }
    }
  }

  /** One step of some shard that has something to do and an owner. */
  private void step() {
    int first = any();
    for (int i = 0; i < TestShards.COUNT; i++) {
      if (shards.step((first + i) % TestShards.COUNT)) {
        return;
      }
    }
  }

  private void act() {
    int at = random.nextInt(weights);
    for (Act act : acts) {
      at -= act.weight();
      if (at < 0) {
        act.act().run();
        return;
      }
    }
  }

  private void calmDown() {
    for (int i = 0; i < TestShards.COUNT; i++) {
      for (int s = 0; shards.waiting(i) > WAITING_MAX && s < WAITING_MAX / 2; s++) {
        shards.step(i);
      }
    }
  }

  /** Everybody is there again, all runs end, all messages arrive. */
  void settle() {
    for (int i = 0; i < TestShards.COUNT; i++) {
      shards.silence(i, false);
    }
    shards.brokerAheadMs = 0;
    shards.nowMs -= allAheadMs;
    shards.run();
    executors.allUp();
    shards.run();
    endRuns();
    for (int i = 0; i < ROLL_CALLS_MAX && runsAreLeft(); i++) {
      shards.pass(RollCall.INTERVAL_MS);
      for (int shard = 0; shard < TestShards.COUNT; shard++) {
        goOn(shard, RollCall.WORK);
      }
      shards.run();
      endRuns();
    }
    // What ends for its time has steps that follow one another, each with a time of its own.
    for (int i = 0; i < WAITS; i++) {
      shards.pass(60_000);
    }
  }

  private void endRuns() {
    while (executors.busy()) {
      executors.finishAll();
      shards.run();
    }
  }

  /** Those whose order was lost: nobody has them, and an executor that comes up may be another. */
  private boolean runsAreLeft() {
    for (int i = 0; i < TestShards.COUNT; i++) {
      if (RollCall.wanted(shards.tables(i))) {
        return true;
      }
    }
    return false;
  }

  private void submit() {
    if (chance(5)) {
      submitArray();
      return;
    }
    String owner = pick(USERS);
    String queue = pick(QUEUES);
    int count = chance(4) ? 60 : 1 + random.nextInt(3);
    Script script = Calls.script("#!/bin/sh\necho " + random.nextInt(20) + "\n");
    boolean withText = chance(70);
    NewJob[] submitted = new NewJob[count];
    for (int i = 0; i < count; i++) {
      submitted[i] = wishes.job(owner, queue, script);
    }
    Role role = chance(80) ? Role.USER : Role.MANAGER;
    CommandMeta meta = shards.calls.meta(chance(2) ? "eve" : owner, role, shards.nowMs);
    send(any(), Calls.submit(meta, withText ? List.of(script) : List.of(), submitted));
  }

  private void reserve() {
    String owner = pick(USERS);
    Role role = chance(80) ? Role.USER : Role.MANAGER;
    CommandMeta meta = shards.calls.meta(chance(2) ? "eve" : owner, role, shards.nowMs);
    send(any(), reservations.wish(meta, owner, wishes.request(), shards.nowMs));
  }

  private void maintain() {
    Role role = chance(80) ? Role.OPERATOR : Role.USER;
    CommandMeta meta = shards.calls.meta("op", role, shards.nowMs);
    send(any(), reservations.maintenance(meta, nodes(), shards.nowMs));
  }

  /** Jobs for the queue of a reservation, or a move there. */
  private void submitInto() {
    reservations
        .any()
        .ifPresent(
            it -> {
              String owner = it.getSpec().getOwner();
              CommandMeta meta = shards.calls.meta(owner, Role.USER, shards.nowMs);
              int shard = birthShard(it.getQueue().substring(1));
              if (chance(25) && !jobs.isEmpty()) {
                String job = perhapsRunning();
                CommandMeta manager = shards.calls.meta("op", Role.MANAGER, shards.nowMs);
                send(birthShard(job), new MoveJob(manager, job, it.getQueue(), shard));
                return;
              }
              NewJob wish = Calls.job(owner, it.getQueue(), wishes.request());
              if (chance(15)) {
                wish.setArray(ArrayStates.fresh(0, 3 + random.nextInt(40), 1, 0));
              }
              send(shard, Calls.submit(meta, List.of(), wish));
            });
  }

  /** Some indices, whether an array has them or not. */
  private void deletePart() {
    List<String> arrays = jobs.stream().filter(id -> id.contains("[]")).toList();
    if (!arrays.isEmpty()) {
      int first = random.nextInt(150);
      int last = first + random.nextInt(60);
      List<IndexSteps> some = List.of(new IndexSteps(first, last, 1 + random.nextInt(3)));
      String array = arrays.get(random.nextInt(arrays.size()));
      user(m -> new DeleteJob(m, array, false, some, false, false, false));
    }
  }

  private void submitArray() {
    String owner = pick(USERS);
    NewJob wish = Calls.job(owner, pick(QUEUES), wishes.request());
    wish.setArray(
        ArrayStates.fresh(0, 3 + random.nextInt(150), 1 + random.nextInt(3), random.nextInt(4)));
    if (chance(20)) {
      Calls.held(wish, "u");
    }
    CommandMeta meta = shards.calls.meta(owner, Role.USER, shards.nowMs);
    send(any(), Calls.submit(meta, List.of(), wish));
  }

  /** An array among the latest jobs, for arrays are few. */
  private void limitArray() {
    List<String> arrays = jobs.stream().filter(id -> id.indexOf("[]") > 0).toList();
    if (!arrays.isEmpty()) {
      String array = arrays.get(Math.max(0, arrays.size() - 1 - random.nextInt(3)));
      user(
          m ->
              AlterJob.newBuilder()
                  .setMeta(m)
                  .setJobId(array)
                  .setMaxRunSubjobs(random.nextInt(5))
                  .build());
    }
  }

  private void user(java.util.function.Function<CommandMeta, SpecificRecord> command) {
    if (!jobs.isEmpty()) {
      SpecificRecord made = command.apply(caller());
      String job = (String) made.get(1);
      send(chance(8) ? any() : birthShard(job), made);
    }
  }

  /** An operator has a run stand still, or go on. */
  private void standOrGoOn(String job) {
    CommandMeta meta = shards.calls.meta(pick(USERS), Role.OPERATOR, shards.nowMs);
    send(birthShard(job), Calls.signal(meta, job, chance(50) ? "suspend" : "resume"));
  }

  /** From within a run, or from one that is over. */
  private void launch(String id) {
    Job job = shards.job(id);
    if (job != null) {
      String owner = chance(95) ? job.getSpec().getOwner() : pick(USERS);
      CommandMeta meta = shards.calls.meta(owner, Role.USER, shards.nowMs);
      int run = chance(95) ? job.getRun() : job.getRun() - 1;
      LaunchTask command = Calls.launch(meta, id, run, random.nextInt(3));
      command.setWait(chance(70));
      send(birthShard(id), command);
    }
  }

  private CommandMeta caller() {
    int kind = random.nextInt(10);
    Role role = kind < 3 ? Role.USER : kind < 5 ? Role.OPERATOR : Role.MANAGER;
    return shards.calls.meta(pick(USERS), role, shards.nowMs);
  }

  private int birthShard(String job) {
    JobBlock block = shards.tables(0).blocks().get(Keys.block(Keys.jobNumber(job)));
    return block == null ? 0 : block.getShard();
  }

  private void send(int shard, SpecificRecord command) {
    CommandMeta meta = Envelope.ofCommand(command);
    asked.put(Keys.command(meta.getId()), command);
    sent.add(new Sent(shard, command));
    shards.send(shard, command);
  }

  private void repeat() {
    if (!sent.isEmpty()) {
      Sent again = sent.get(Math.max(0, sent.size() - 1 - random.nextInt(RECENT)));
      repeated.add(Keys.command(Envelope.ofCommand(again.command()).getId()));
      // A gateway that was started again may know a newer place of the queue.
      boolean elsewhere = again.command() instanceof SubmitJobs && chance(50);
      shards.send(elsewhere ? any() : again.shard(), again.command());
    }
  }

  private void wrongFamily() {
    CommandMeta meta = shards.calls.meta("mallory", Role.MANAGER, shards.nowMs);
    forged.add(meta);
    CommandFamily from = chance(50) ? CommandFamily.EXECUTOR : CommandFamily.ENGINE;
    shards.send(from, any(), Calls.delete(meta, job(), false));
  }

  /** Reminds a shard of what it does from time to time. */
  private void goOn(int shard, String work) {
    CommandMeta meta = shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs);
    shards.send(shard, new Continue(meta, work, ""));
  }

  /** The broker's clock leaps, or those of all hosts; later it comes back. */
  private void leap() {
    if (chance(50)) {
      shards.brokerAheadMs = pick(LEAPS_MS);
    } else {
      shards.nowMs -= allAheadMs;
      allAheadMs = chance(50) ? 0 : pick(LEAPS_MS);
      shards.nowMs += allAheadMs;
    }
  }

  private void passTime() {
    if (chance(4)) {
      leap();
    }
    shards.nowMs += chance(4) ? 20 * 60_000L : random.nextInt(60_000);
    for (int i = 0; i < TestShards.COUNT; i++) {
      shards.send(i, new Tick(shards.calls.silent("shard-" + i, Role.SHARD, shards.nowMs)));
    }
  }

  private void silence() {
    int shard = any();
    shards.silence(shard, !shards.silent(shard) && chance(30));
  }

  private int any() {
    return random.nextInt(TestShards.COUNT);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private String job() {
    if (jobs.isEmpty() || chance(2)) {
      return "999999.mill";
    }
    return jobs.get(Math.max(0, jobs.size() - 1 - random.nextInt(chance(20) ? 1000 : RECENT)));
  }

  /** One that stands still for an operator is mostly told to go on, as nobody else tells it. */
  private SpecificRecord signal(CommandMeta meta, String id) {
    Job job = shards.job(id);
    boolean stands = job != null && job.getSuspension() == Suspension.OPERATOR;
    return Calls.signal(meta, id, stands && chance(70) ? "resume" : pick(SIGNALS));
  }

  private List<String> nodes() {
    return List.of(pick(List.of("n0", "e0", "w0", "m0", "m1", "nosuch")));
  }

  private String perhapsRunning() {
    return chance(50) ? executors.anyJob().orElseGet(this::job) : job();
  }

  private List<String> recent() {
    int from = Math.max(0, jobs.size() - 2 * RECENT);
    List<String> recent = new ArrayList<>(jobs.subList(from, jobs.size()));
    java.util.Collections.shuffle(recent, random);
    return recent;
  }
}
