package io.millrace.schedulers.dialects.gridengine.replay;

import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.JobOutcome;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.PromisedStart;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.SessionStart;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.TaskOutcome;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.TaskDecision;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.WaitingReasons;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.gridengine.language.cluster.WildcardPattern;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob.Behaviour;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob.Waits;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.TaskRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A job of a replayed session from its arrival to its end. */
final class ReplayedJob {

  private final CaseJob given;
  private final ReplaySession session;
  private final List<Integer> waiting;
  private final Map<Integer, ReplayedTask> running = new LinkedHashMap<>();
  private final Map<Integer, SessionStart> starts = new TreeMap<>();
  private final Map<Integer, Long> ends = new TreeMap<>();
  private final Map<Integer, List<PromisedStart>> plans = new TreeMap<>();
  private final Map<Long, List<Reason>> reasons = new TreeMap<>();
  private GridEngineJob job;

  /** Tasks with a hold. The job is held when all of its waiting tasks are. */
  private final Set<Integer> held = new HashSet<>();

  /** Number of tasks that the recorded scheduler saw end at this moment. */
  private int leaving;

  /** Jobs that must end before (-hold_jid), resolved when the job arrived; empty before that. */
  private Optional<List<ReplayedJob>> predecessors = Optional.empty();

  /**
   * A running task.
   *
   * @param place in the order of all starts
   * @param over_s when it ends, from the session's begin
   * @param end_s when it is no longer seen
   */
  record ReplayedTask(RunningTask task, long place, long over_s, long end_s) {}

  ReplayedJob(CaseJob given, ReplaySession session) {
    this.given = given;
    this.session = session;
    this.job = given.job();
    this.waiting = new ArrayList<>(job.tasks().numbers());
    if (job.behaviour().waits() == Waits.HELD) {
      held.addAll(waiting);
    }
  }

  GridEngineJob job() {
    return job;
  }

  boolean arrived(long now) {
    return given.arrival_s() <= now;
  }

  /** Waiting tasks that may be considered; all of them when the job as a whole is held. */
  List<Integer> waiting() {
    return held()
        ? List.copyOf(waiting)
        : waiting.stream().filter(task -> !held.contains(task)).toList();
  }

  private boolean held() {
    return !waiting.isEmpty() && held.containsAll(waiting);
  }

  List<ReplayedTask> running() {
    return List.copyOf(running.values());
  }

  int ended() {
    return ends.size();
  }

  List<Long> ends() {
    return running.values().stream().map(ReplayedTask::end_s).toList();
  }

  boolean done() {
    return waiting.isEmpty() && running.isEmpty();
  }

  /** Returns the tasks that have ended by this time. */
  List<RunningTask> end(long now) {
    List<ReplayedTask> over =
        running.values().stream().filter(task -> task.end_s() <= now).toList();
    for (ReplayedTask task : over) {
      running.remove(task.task().task());
      ends.put(task.task().task(), task.over_s());
    }
    leaving = over.size();
    return over.stream().map(ReplayedTask::task).toList();
  }

  /**
   * Number of tasks whose slots are free now but which the recorded scheduler still counts as
   * running, because qmaster reports their end in a later message.
   */
  int leaving() {
    return leaving;
  }

  /** Resolves -hold_jid when the job arrives: the named jobs that exist and have not ended. */
  void meets(Collection<ReplayedJob> all, long now) {
    if (predecessors.isEmpty() && arrived(now)) {
      predecessors = Optional.of(all.stream().filter(this::follows).toList());
    }
  }

  private boolean follows(ReplayedJob other) {
    return other.given.arrival_s() <= given.arrival_s()
        && other.job.number() < job.number()
        && !other.done()
        && given.after().stream().anyMatch(name -> means(name, other.job));
  }

  private boolean means(String name, GridEngineJob other) {
    return name.matches("\\d+")
        ? name.equals(Long.toString(other.number()))
        : other.identity().owner().equals(job.identity().owner())
            && WildcardPattern.of(name).fits(other.identity().name());
  }

  /** Sets what the job waits for now, if anything; a user hold comes before a dependency. */
  void settle() {
    boolean depends = predecessors.orElse(List.of()).stream().anyMatch(other -> !other.done());
    wait(held() ? Waits.HELD : depends ? Waits.DEPENDS : Waits.NO);
  }

  void hold(TaskRange tasks, boolean hold) {
    if (hold) {
      held.addAll(tasks.numbers());
    } else {
      held.removeIf(tasks::contains);
    }
  }

  /** Replaces the lists of requests that are given; running tasks keep what they have. */
  void alter(Needs lists) {
    Needs old = job.needs();
    Needs needs =
        new Needs(
            lists.hard().isEmpty() ? old.hard() : lists.hard(),
            lists.soft().isEmpty() ? old.soft() : lists.soft(),
            lists.queues().isEmpty() ? old.queues() : lists.queues(),
            lists.softQueues().isEmpty() ? old.softQueues() : lists.softQueues(),
            lists.environment().or(old::environment));
    job =
        new GridEngineJob(
            job.identity(), needs, job.reserve(), job.urge(), job.tasks(), job.behaviour());
  }

  private void wait(Waits waits) {
    Behaviour old = job.behaviour();
    change(
        job.reserve(),
        job.urge(),
        new Behaviour(old.immediate(), waits, old.concurrent(), old.earliest_s()));
  }

  void prioritise(int priority) {
    GridEngineJob.Urge old = job.urge();
    change(
        job.reserve(),
        new GridEngineJob.Urge(priority, old.submitted_s(), old.deadline_s()),
        job.behaviour());
  }

  void reserve(boolean reserve) {
    change(reserve, job.urge(), job.behaviour());
  }

  /** Suspends or resumes those of these tasks that run. Their recorded ends stay the same. */
  void suspend(TaskRange tasks, boolean suspended) {
    RunningTask.Phase phase = suspended ? RunningTask.Phase.SUSPENDED : RunningTask.Phase.RUNNING;
    running.replaceAll(
        (number, so) -> {
          if (!tasks.contains(number)) {
            return so;
          }
          RunningTask task = so.task();
          return new ReplayedTask(
              new RunningTask(task.job(), task.task(), task.assignment(), phase),
              so.place(),
              so.over_s(),
              so.end_s());
        });
  }

  private void change(boolean reserve, GridEngineJob.Urge urge, Behaviour behaviour) {
    job = new GridEngineJob(job.identity(), job.needs(), reserve, urge, job.tasks(), behaviour);
  }

  /** Ends these tasks now; those that run are seen as ended when the recorded scheduler saw it. */
  void delete(TaskRange tasks, long now) {
    waiting.removeIf(tasks::contains);
    running.replaceAll(
        (number, so) ->
            tasks.contains(number)
                ? new ReplayedTask(
                    so.task(),
                    so.place(),
                    Math.min(so.over_s(), now),
                    Math.max(now, session.endSeen(job.identity().name(), number).orElse(now)))
                : so);
  }

  /** Removes a -now y job that did not start. */
  void giveUp() {
    waiting.clear();
  }

  RunningTask start(TaskDecision start, long now, long place) {
    int task = start.task();
    waiting.remove((Integer) task);
    starts.put(task, new SessionStart(now, start.assignment(), start.uses()));
    long over = now + given.lasts_s(job.needs());
    long ends = Math.max(now + 1, over);
    long seen = session.endSeen(job.identity().name(), task).orElse(ends);
    RunningTask runs = new RunningTask(job, task, start.assignment(), RunningTask.Phase.RUNNING);
    running.put(task, new ReplayedTask(runs, place, over, Math.max(seen, ends)));
    return runs;
  }

  void promise(TaskDecision promise, int run) {
    PromisedStart plan =
        new PromisedStart(
            run,
            run,
            promise.assignment().start() - SessionReplay.BEGIN_S,
            promise.assignment().duration(),
            promise.uses());
    List<PromisedStart> known = plans.computeIfAbsent(promise.task(), task -> new ArrayList<>());
    PromisedStart last = known.isEmpty() ? null : known.get(known.size() - 1);
    if (last != null && last.continues(plan, run)) {
      known.set(known.size() - 1, last.until(run));
    } else {
      known.add(plan);
    }
  }

  void waits(WaitingReasons why, List<Reason> information, long now) {
    List<Reason> all = new ArrayList<>(information);
    all.addAll(why.details());
    List<Reason> before = reasons.values().stream().reduce(List.of(), (one, later) -> later);
    if (!before.equals(all)) {
      reasons.put(now, all);
    }
  }

  JobOutcome outcome() {
    Map<Integer, TaskOutcome> tasks = new TreeMap<>();
    for (int task : job.tasks().numbers()) {
      tasks.put(
          task,
          new TaskOutcome(
              Optional.ofNullable(starts.get(task)),
              ends.getOrDefault(task, 0L),
              plans.getOrDefault(task, List.of())));
    }
    return new JobOutcome(job, given.arrival_s(), tasks, reasons);
  }
}
