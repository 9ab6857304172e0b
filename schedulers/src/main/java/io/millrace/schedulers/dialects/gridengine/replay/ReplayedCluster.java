package io.millrace.schedulers.dialects.gridengine.replay;

import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.JobOutcome;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.TaskDecision;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance.QueueInstanceState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** State of a session at one moment: jobs by number, and which queues are open. */
final class ReplayedCluster {

  private final ReplaySession session;
  private final Map<Long, ReplayedJob> actors = new LinkedHashMap<>();
  private final List<CaseAction> ahead;
  private final Set<String> disabled = new HashSet<>();
  private final Set<String> suspended = new HashSet<>();

  /**
   * Environments in the order in which wildcard requests try them: unused ones first, then those
   * whose use changed longest ago.
   */
  private final List<ParallelEnvironment> environments;

  /**
   * Instances by cluster queue in the order that decides between instances of equal seq_no and
   * load: unused ones first, then those whose use changed longest ago.
   */
  private final Map<String, List<QueueInstance>> instances = new LinkedHashMap<>();

  private long now;

  ReplayedCluster(ReplaySession session) {
    this.session = session;
    session.jobs().forEach(job -> actors.put(job.job().number(), new ReplayedJob(job, session)));
    this.environments = new ArrayList<>(session.cluster().environments());
    for (QueueInstance queue : session.cluster().queues()) {
      instances.computeIfAbsent(queue.queue(), name -> new ArrayList<>()).add(queue);
    }
    this.ahead = new ArrayList<>(session.actions());
    ahead.sort(Comparator.comparingLong(CaseAction::at_s));
  }

  void advance(long time) {
    now = time;
    while (!ahead.isEmpty() && ahead.get(0).at_s() <= now) {
      act(ahead.remove(0));
    }
    actors.values().forEach(actor -> actor.end(now).forEach(this::changed));
    actors.values().forEach(actor -> actor.meets(actors.values(), now));
    actors.values().forEach(ReplayedJob::settle);
  }

  private void changed(RunningTask task) {
    task.assignment()
        .environment()
        .ifPresent(
            environment -> {
              environments.remove(environment);
              environments.add(environment);
            });
    for (Grant grant : task.assignment().grants()) {
      instances.get(grant.queue().queue()).stream()
          .filter(queue -> queue.name().equals(grant.queue().name()))
          .findFirst()
          .ifPresent(this::last);
    }
  }

  private void last(QueueInstance queue) {
    List<QueueInstance> all = instances.get(queue.queue());
    all.remove(queue);
    all.add(queue);
  }

  private void act(CaseAction action) {
    if (action instanceof CaseAction.CaseDeletion delete) {
      named(delete.job()).delete(delete.tasks(), now);
    } else if (action instanceof CaseAction.SetHold hold) {
      named(hold.job()).hold(hold.tasks(), hold.held());
    } else if (action instanceof CaseAction.Alter change) {
      named(change.job()).alter(change.lists());
    } else if (action instanceof CaseAction.Prioritise change) {
      named(change.job()).prioritise(change.priority());
    } else if (action instanceof CaseAction.Reserve change) {
      named(change.job()).reserve(change.reserve());
    } else if (action instanceof CaseAction.Suspend change) {
      named(change.job()).suspend(change.tasks(), change.suspended());
    } else if (action instanceof CaseAction.Switch change) {
      Set<String> names = change.state() == QueueInstanceState.DISABLED ? disabled : suspended;
      for (QueueInstance queue : change.meant(session.cluster())) {
        if (change.set()) {
          names.add(queue.name());
        } else {
          names.remove(queue.name());
        }
      }
    }
  }

  private ReplayedJob named(String name) {
    return actors.values().stream()
        .filter(actor -> actor.job().identity().name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no job " + name));
  }

  /** The cluster with its queues in their states. */
  Cluster cluster() {
    Cluster open = session.cluster();
    List<QueueInstance> queues = new ArrayList<>();
    for (List<QueueInstance> all : instances.values()) {
      all.forEach(queue -> queues.add(queue.in(state(queue))));
    }
    return new Cluster(
        open.complexes(),
        queues,
        open.hosts(),
        List.copyOf(environments),
        open.groups(),
        open.accessLists());
  }

  private QueueInstanceState state(QueueInstance queue) {
    if (suspended.contains(queue.name())) {
      return QueueInstanceState.SUSPENDED;
    }
    return disabled.contains(queue.name()) ? QueueInstanceState.DISABLED : QueueInstanceState.USUAL;
  }

  /** Running tasks in the order of their starts. */
  List<RunningTask> running() {
    return actors.values().stream()
        .flatMap(actor -> actor.running().stream())
        .sorted(Comparator.comparingLong(ReplayedJob.ReplayedTask::place))
        .map(ReplayedJob.ReplayedTask::task)
        .toList();
  }

  List<PendingJob> pending() {
    return actors.values().stream()
        .filter(actor -> actor.arrived(now) && !actor.waiting().isEmpty())
        .map(actor -> new PendingJob(actor.job(), actor.waiting(), actor.leaving()))
        .toList();
  }

  void apply(Decisions decisions, long time, int run) {
    for (TaskDecision start : decisions.starts()) {
      changed(actors.get(start.job()).start(start, time, place()));
    }
    for (TaskDecision promise : decisions.promises()) {
      actors.get(promise.job()).promise(promise, run);
    }
    decisions
        .waiting()
        .forEach((job, why) -> actors.get(job).waits(why, decisions.information(), time));
    actors.values().stream()
        .filter(actor -> actor.arrived(time) && actor.job().behaviour().immediate())
        .forEach(ReplayedJob::giveUp);
  }

  private long place() {
    return actors.values().stream().mapToLong(actor -> actor.running().size()).sum()
        + actors.values().stream().mapToLong(ReplayedJob::ended).sum();
  }

  /** Whether no job runs, waits or has yet to arrive. */
  boolean over() {
    return ahead.isEmpty() && actors.values().stream().allMatch(ReplayedJob::done);
  }

  List<Long> arrivals() {
    return session.jobs().stream().map(CaseJob::arrival_s).toList();
  }

  List<Long> ends() {
    return actors.values().stream().flatMap(actor -> actor.ends().stream()).toList();
  }

  List<JobOutcome> outcomes() {
    return actors.values().stream().map(ReplayedJob::outcome).toList();
  }
}
