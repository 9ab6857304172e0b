package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schedulers.dialects.runs.SuspendedRuns;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.InputsRead;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.fact.UsagesForgotten;
import io.millrace.schemas.fact.UsagesSet;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * What the dialect knows of a shard: the text of its scheduler object, queues, nodes and jobs.
 * Objects, nodes and usages are followed under any policy, so that the policy may change at any
 * time; jobs, which take hundreds of bytes each, only by an engine that has begun under this policy
 * ({@link #keepJobs}). Used by one thread.
 */
public final class OriginFollower implements ShardFollower {

  private static final long ITERATION_S = 600;

  /** Longest time between two cycles: a year, so that no time is beyond all clocks. */
  private static final long ITERATION_MAX_S = 366 * 86_400;

  private final String scheduler;
  private final int shard;
  private final OriginHosts hosts = new OriginHosts();
  private final OriginQueues queues = new OriginQueues();
  private final OriginTasks tasks = new OriginTasks();
  private final OriginReasons reasons = new OriginReasons();
  private final OriginFigures figures = new OriginFigures();
  private final OriginInputs inputs = new OriginInputs();
  private final SuspendedRuns suspended = new SuspendedRuns(this::owns);
  private Set<String> partitions = Set.of();
  private boolean chosen;
  private boolean scheduling;

  /** True while the server is being shut down. */
  private boolean ends;

  private long iterationS = ITERATION_S;
  private String text = "";
  private LoadedOrigin loaded = LoadedOrigin.read("");

  /** True when something has changed since the last cycle that can lead to another decision. */
  private boolean touched = true;

  private boolean full;

  public OriginFollower(String scheduler, int shard) {
    this.scheduler = scheduler;
    this.shard = shard;
  }

  /** Whether the scheduler object's policy is this dialect. */
  public boolean chosen() {
    return chosen;
  }

  /** Jobs are followed from now on. To be called before the first of them. */
  public void keepJobs() {
    tasks.keep();
  }

  /** Another policy decides: what is known of jobs is forgotten. */
  public void forgetJobs() {
    tasks.leave();
  }

  /** Whether the policy is this dialect, and nothing can be decided as the jobs are not known. */
  public boolean lacksJobs() {
    return chosen && !tasks.kept();
  }

  /** Whether anything may be started at all. */
  boolean scheduling() {
    return scheduling && !ends;
  }

  String scheduler() {
    return scheduler;
  }

  LoadedOrigin loaded() {
    return loaded;
  }

  long iterationS() {
    return iterationS;
  }

  OriginHosts hosts() {
    return hosts;
  }

  OriginQueues queues() {
    return queues;
  }

  OriginReasons reasons() {
    return reasons;
  }

  OriginInputs inputs() {
    return inputs;
  }

  Set<String> partitions() {
    return partitions;
  }

  /** All jobs of the shard that have not ended, by number. */
  Collection<OriginTask> tasks() {
    return tasks.all();
  }

  OriginTask task(long number) {
    return tasks.task(number);
  }

  /** Whether a job waits or runs in one of the scheduler's queues. */
  boolean owns(OriginTask task) {
    return queues.within(task.home, partitions);
  }

  private boolean owns(long number) {
    OriginTask task = tasks.task(number);
    return task != null && owns(task);
  }

  boolean touched() {
    return touched;
  }

  void touch() {
    touched = true;
  }

  void untouch() {
    touched = false;
    full = false;
  }

  /** No more starts may be proposed until one is answered. */
  void full() {
    full = true;
  }

  /** Past usage of users, with starts that are proposed and not yet answered. */
  Map<String, Double> usage() {
    Map<String, Double> usage = new HashMap<>(figures.all());
    tasks.eachProposed(
        (task, cost) ->
            usage.merge(StartUsage.user(task.group, task.user), (double) cost, Double::sum));
    return usage;
  }

  /** What groups have used beyond the site's file of it, with starts that are proposed. */
  Map<String, Double> groupUsage() {
    Map<String, Double> usage = inputs.groups();
    tasks.eachProposed((task, cost) -> usage.merge(task.group, (double) cost, Double::sum));
    return usage;
  }

  /** The run-time record of a scheduler object, from a snapshot; before the usages. */
  public void scheduler(Scheduler record) {
    if (record.getName().equals(scheduler)) {
      figures.faded(record.getFaded());
      inputs.read(record.getInputs());
      inputs.groups(record.getGroupStarts());
    }
  }

  /** What an entity has used, from a snapshot. */
  public void usage(EntityUsage record) {
    if (record.getScheduler().equals(scheduler)) {
      figures.record(record);
    }
  }

  /** Follows what the facts say beside what every follower of a shard is told. */
  public void follow(SpecificRecord fact) {
    if (fact instanceof UsageCharged charged) {
      if (charged.getScheduler().equals(scheduler)) {
        inputs.charged(charged);
        figures.charged(charged); // no news: the cycle that started the run has counted it
      }
    } else if (fact instanceof UsageFaded fades) {
      if (fades.getScheduler().equals(scheduler)) {
        figures.faded(fades.getFaded());
        touched = true;
      }
    } else if (fact instanceof InputsRead read) {
      if (read.getScheduler().equals(scheduler)) {
        inputs.read(read.getInputs());
        touched = true;
      }
    } else if (fact instanceof UsagesSet set) {
      if (set.getScheduler().equals(scheduler)) {
        figures.set(set);
        touched = true;
      }
    } else if (fact instanceof UsagesForgotten gone) {
      if (gone.getScheduler().equals(scheduler)) {
        figures.forgotten(gone.getEntities());
        touched = true;
      }
    } else if (fact instanceof JobReleased released && released.getHolds().equals("n")) {
      change(
          JobNumbers.of(released.getJobId()),
          task -> task.eligibleS = released.getMeta().getAtMs() / 1000);
    }
  }

  @Override
  public void written(ClusterObject object) {
    switch (object.getKind()) {
      case SCHEDULER -> {
        if (object.getName().equals(scheduler)) {
          settings(object);
        }
      }
      case QUEUE -> queues.written(object);
      case NODE -> {
        hosts.written(object);
        hosts
            .known(object.getName())
            .filter(known -> known.getOfferedTo() == shard)
            .ifPresent(known -> hosts.offered(object.getName(), -1));
      }
      case RESOURCE -> hosts.resource(object);
      case SERVER -> ends = SchedulerSettings.ends(object);
      default -> {
        // Partitions are named by queues and nodes.
      }
    }
    touched = true;
  }

  private void settings(ClusterObject object) {
    chosen = ObjectAttributes.text(object, "policy", "").equals(AttributeTable.ORIGIN2000);
    scheduling = SchedulerSettings.starts(object);
    long iteration = ObjectAttributes.number(object, "scheduler_iteration", ITERATION_S);
    iterationS = Math.max(1, Math.min(iteration, ITERATION_MAX_S));
    partitions = SchedulerSettings.partitionsOf(object);
    String now = ObjectAttributes.text(object, AttributeTable.ORIGIN2000, "");
    if (!now.equals(text)) {
      text = now;
      loaded = LoadedOrigin.read(now);
      tasks.all().forEach(task -> task.restUntilMs = 0);
    }
  }

  @Override
  public void deleted(ObjectKind kind, String name) {
    switch (kind) {
      case QUEUE -> queues.deleted(name);
      case NODE -> hosts.deleted(name);
      case RESOURCE -> hosts.resourceDeleted(name);
      case SCHEDULER -> chosen &= !name.equals(scheduler);
      default -> {
        // Of the others nothing is known.
      }
    }
    touched = true;
  }

  @Override
  public void node(Node node) {
    hosts.node(node);
    touched = true;
  }

  @Override
  public void nodeUp(String name, String host, Map<String, Long> measured) {
    hosts.up(name, host, measured);
    touched = true;
  }

  @Override
  public void nodeDown(String name) {
    hosts.down(name);
  }

  @Override
  public void nodeOffered(String name, int to) {
    hosts.offered(name, to);
    touched = true;
  }

  @Override
  public void nodeClosing(String name) {
    hosts.offered(name, shard);
  }

  @Override
  public void nodeGone(String name) {
    hosts.gone(name);
  }

  @Override
  public void reservation(Reservation reservation) {
    touched = true; // the shard knows which nodes it has; what it refuses is tried again
  }

  @Override
  public void job(Job job) {
    if (!tasks.kept() || job.getStatus() == JobStatus.FINISHED) {
      return;
    }
    boolean runs = job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING;
    if (job.getSpec().getGridEngine() != null) {
      if (runs && job.getAllocation() != null) {
        hosts.hold(job.getNumber(), job.getAllocation().getShares());
      }
      return;
    }
    // It may be known, and back from a queue of others before the answer to its proposal.
    withdraw(job.getNumber());
    OriginTask task = new OriginTask(job.getNumber(), job.getCreatedMs() / 1000, job.getSpec());
    task.rank = job.getRank();
    task.eligibleS = Math.max(0, job.getEligibleMs() / 1000);
    task.held = !job.getHolds().equals("n") || job.getStatus() == JobStatus.HELD;
    task.leaving = job.getOfferedTo() >= 0 || job.getStatus() == JobStatus.TRANSIT;
    task.ofArray = job.getArray() != null || JobNumbers.isSubjob(job.getNumber());
    tasks.put(task);
    suspended.found(job);
    if (runs && job.getAllocation() != null) {
      granted(job.getNumber(), job.getAllocation(), job.getStartedMs());
    }
    touched = true;
  }

  private void change(long number, Consumer<OriginTask> change) {
    OriginTask task = tasks.task(number);
    if (task != null) {
      change.accept(task);
      touched = true;
    }
  }

  @Override
  public void holds(long number, String holds) {
    change(
        number,
        task -> {
          task.held = !holds.equals("n");
          if (task.held && task.waits()) {
            reasons.clear(number);
            task.comment = null;
          }
        });
  }

  @Override
  public void transit(long number, boolean on) {
    change(number, task -> task.leaving = on);
  }

  @Override
  public void altered(long number, JobSpec spec, boolean askedAnew) {
    change(
        number,
        task -> {
          task.asks(spec);
          task.restUntilMs = 0;
        });
  }

  @Override
  public void moved(long number, String queue, long rank) {
    OriginTask task = tasks.task(number);
    if (task == null) {
      return;
    }
    // The move of a start is a part of it, and no news.
    touched |= task.proposed == null || !task.proposed.queue().equals(queue);
    task.home = queue.intern();
    task.rank = rank;
    task.resubmitted = "";
    task.restUntilMs = 0;
  }

  @Override
  public void gone(long number) {
    suspended.ended(number);
    touched |= tasks.remove(number);
    hosts.release(number);
    reasons.clear(number);
  }

  @Override
  public void granted(long number, Allocation allocation, long atMs) {
    if (!tasks.kept()) {
      return;
    }
    hosts.hold(number, allocation.getShares());
    OriginTask task = tasks.task(number);
    if (task != null) {
      task.granted(allocation, atMs);
      touched |= full;
      reasons.clear(number);
    }
  }

  @Override
  public void began(long number, long beganMs) {
    tasks.began(number, beganMs);
  }

  /** It keeps its nodes, so that it can always go on: the policy counts it as running. */
  @Override
  public void suspended(long number, RunSuspended fact) {
    if (!tasks.kept()) {
      return;
    }
    suspended.suspended(number, fact);
    touched = true;
  }

  @Override
  public void resumable(long number) {
    suspended.resumable(number);
    touched = true;
  }

  @Override
  public void resumed(long number, long atMs) {
    suspended.ended(number);
  }

  @Override
  public void ending(long number, long atMs) {
    suspended.ending(number);
  }

  /** Returns the runs to resume, by job, and counts them as proposed. */
  public Map<Long, Integer> takeToResume() {
    return suspended.takeToResume();
  }

  @Override
  public void requeued(long number) {
    suspended.ended(number);
    hosts.release(number);
    change(number, OriginFollower::waitsAgain);
  }

  private static void waitsAgain(OriginTask task) {
    task.node = null;
    task.proposed = null;
    task.comment = null;
  }

  @Override
  public void withdraw(long number) {
    suspended.withdraw(number);
    OriginTask task = tasks.task(number);
    if (task != null && task.proposed != null) {
      hosts.release(number);
      waitsAgain(task);
      touched = true;
    }
  }

  /** A job could not be started: it is not tried again until a time. */
  void rest(OriginTask task, String why, long nowMs, long untilMs) {
    task.rest(why, untilMs);
    reasons.say(task.number, why, nowMs);
    touched = true;
  }

  /** The shard did not accept the deletion of a job: the job is considered again. */
  public void notGivenUp(long number) {
    change(number, task -> task.givenUp = false);
  }
}
