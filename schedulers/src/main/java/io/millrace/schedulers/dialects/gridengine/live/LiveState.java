package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.runs.SuspendedRuns;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the dialect knows of a shard: its configuration, hosts, and the jobs that came in Grid
 * Engine's way. It follows the facts under any policy, so that the policy may change at any time.
 * Other schedulers of the shard may be cells too; what their jobs hold of licences, environments
 * and limits does not count here. Used by one thread.
 */
public final class LiveState implements ShardFollower {

  private final String scheduler;
  private final int shard;
  private final ExecHosts hosts = new ExecHosts();
  private final LiveBookings bookings = new LiveBookings();
  private final LiveJobs jobs = new LiveJobs();
  private final LiveQueues queues = new LiveQueues(bookings);

  private final CellSettings settings = new CellSettings();
  private final SuspendedRuns suspended = new SuspendedRuns(this::owns);

  private long places;

  /** True when an own task has ended or left since the last look. */
  private boolean freed;

  /** True when nodes were added or changed since the last look. */
  private boolean nodesChanged;

  /** True when the queue instances have to be computed again. */
  private boolean clusterChanged = true;

  public LiveState(String scheduler, int shard) {
    this.scheduler = scheduler;
    this.shard = shard;
  }

  /** Whether the scheduler object's policy is this dialect. */
  public boolean chosen() {
    return settings.chosen();
  }

  /** Whether anything may be started at all. */
  boolean scheduling() {
    return settings.scheduling();
  }

  /** The configuration; empty while there is none that can be read. */
  Optional<Configuration> configuration() {
    return settings.configuration().read();
  }

  /** Why there is no configuration that can be used. */
  String problem() {
    return settings.configuration().problem();
  }

  ExecHosts hosts() {
    return hosts;
  }

  LiveBookings bookings() {
    return bookings;
  }

  LiveJobs jobs() {
    return jobs;
  }

  Set<String> partitions() {
    return settings.partitions();
  }

  List<ParallelEnvironment> environments() {
    return settings.configuration().environments();
  }

  /** Returns whether the queue instances have to be computed again, and resets it. */
  boolean takeClusterChanged() {
    boolean changed = clusterChanged;
    clusterChanged = false;
    return changed;
  }

  /** Returns whether nodes have changed since the last run, and resets it. */
  boolean takeNodesChanged() {
    boolean changed = nodesChanged;
    nodesChanged = false;
    return changed;
  }

  /** Whether a queue of the shard is this scheduler's, and started. */
  boolean open(String queue) {
    return ownQueue(queue) && queues.started(queue);
  }

  private boolean ownQueue(String queue) {
    return queues.within(queue, settings.partitions());
  }

  /** Whether a job is this scheduler's: by its queue; for another dialect's, by its nodes. */
  public boolean owns(long number) {
    return jobs.task(number)
        .map(task -> task.own)
        .orElse(hosts.anyHeldBy(number, settings.partitions()));
  }

  /** Returns whether an own task has ended or left since the last call, and resets it. */
  public boolean takeFreed() {
    boolean taken = freed;
    freed = false;
    return taken;
  }

  @Override
  public void written(ClusterObject object) {
    switch (object.getKind()) {
      case SCHEDULER -> {
        if (object.getName().equals(scheduler)) {
          scheduler(object);
        }
      }
      case QUEUE -> {
        queues.written(object);
        sort();
      }
      case NODE -> {
        hosts.written(object);
        reopen(object.getName());
        clusterChanged = true;
        nodesChanged = true;
      }
      case SERVER -> clusterChanged |= settings.server(object);
      default -> {
        // Resources and partitions do not concern this dialect.
      }
    }
  }

  private void reopen(String node) {
    hosts
        .known(node)
        .filter(known -> known.getOfferedTo() == shard)
        .ifPresent(known -> nodeOffered(node, -1));
  }

  private void scheduler(ClusterObject object) {
    settings.scheduler(object);
    sort();
    clusterChanged = true;
    if (settings.reconfigured(object)) {
      jobs.all().forEach(LiveJob::changed);
      jobs.all().forEach(live -> live.refusing.forgiven());
    }
  }

  /** Sorts tasks into own ones and others again, since queues can move between schedulers. */
  private void sort() {
    for (LiveTask task : jobs.ofShard()) {
      sort(task);
    }
  }

  private void sort(LiveTask task) {
    boolean own = ownQueue(task.spec.getQueue());
    if (own == task.own) {
      return;
    }
    jobs.belongs(task, own);
    clusterChanged = true;
    if (task.allocation != null) {
      hosts.released(task.number);
      runs(task);
    } else if (task.holds()) {
      jobs.release(task); // what was proposed is refused, or granted to whose it is now
    }
  }

  @Override
  public void deleted(ObjectKind kind, String name) {
    if (kind == ObjectKind.NODE) {
      hosts.deleted(name);
      clusterChanged = true;
    } else if (kind == ObjectKind.QUEUE) {
      queues.deleted(name);
      sort();
    } else if (kind == ObjectKind.SCHEDULER && name.equals(scheduler)) {
      settings.schedulerDeleted();
    }
  }

  @Override
  public void node(Node node) {
    hosts.node(node);
    clusterChanged = true;
    nodesChanged = true;
  }

  @Override
  public void nodeUp(String name, String host, Map<String, Long> measured) {
    node(hosts.up(name, host, measured));
  }

  @Override
  public void nodeDown(String name) {
    hosts.known(name).ifPresent(known -> node(Node.newBuilder(known).setUp(false).build()));
  }

  @Override
  public void nodeOffered(String name, int to) {
    hosts.known(name).ifPresent(known -> node(Node.newBuilder(known).setOfferedTo(to).build()));
  }

  @Override
  public void nodeClosing(String name) {
    nodeOffered(name, shard);
  }

  @Override
  public void nodeGone(String name) {
    hosts.gone(name);
    clusterChanged = true;
  }

  @Override
  public void reservation(Reservation reservation) {
    boolean known = bookings.ofQueue(reservation.getQueue()) != null;
    bookings.follow(reservation);
    if (known != (bookings.ofQueue(reservation.getQueue()) != null)) {
      sort();
    }
    clusterChanged = true;
  }

  @Override
  public void job(Job job) {
    if (job.getStatus() == JobStatus.FINISHED) {
      return;
    }
    suspended.found(job);
    boolean runs = job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING;
    if (job.getSpec().getGridEngine() == null) {
      if (runs && job.getAllocation() != null) {
        clusterChanged |= hosts.heldByOther(job.getNumber(), job.getAllocation());
      }
      return;
    }
    LiveTask task = new LiveTask(job.getNumber(), job.getQueuedMs() / 1000, job.getSpec());
    task.held = !job.getHolds().equals("n") || job.getStatus() == JobStatus.HELD;
    task.leaving = job.getOfferedTo() >= 0 || job.getStatus() == JobStatus.TRANSIT;
    task.ran = job.getRun() > 0;
    jobs.add(task, ownQueue(job.getSpec().getQueue()));
    if (runs) {
      granted(job.getNumber(), job.getAllocation(), job.getStartedMs());
    }
  }

  @Override
  public void holds(long number, String holds) {
    jobs.task(number).ifPresent(task -> task.held = !holds.equals("n"));
  }

  @Override
  public void transit(long number, boolean on) {
    jobs.task(number).ifPresent(task -> task.leaving = on);
  }

  @Override
  public void altered(long number, JobSpec spec, boolean askedAnew) {
    jobs.task(number).ifPresent(task -> jobs.altered(task, spec));
  }

  @Override
  public void moved(long number, String queue, long rank) {
    jobs.task(number)
        .ifPresent(
            task -> {
              JobSpec moved = JobSpec.newBuilder(task.spec).setQueue(queue).build();
              jobs.altered(task, moved);
              sort(task);
            });
  }

  @Override
  public void gone(long number) {
    suspended.ended(number);
    jobs.task(number).ifPresent(this::released);
    jobs.remove(number);
    clusterChanged |= hosts.released(number);
  }

  /** A task has released its resources: its environment becomes the last one used. */
  private void released(LiveTask task) {
    freed |= task.own;
    if (task.own && task.holds()) {
      settings.configuration().used(task.assignment);
      clusterChanged = true;
    }
    task.allocation = null;
  }

  /** A start that was decided here holds its resources from now on. */
  void proposed(LiveTask task, Assignment assignment) {
    jobs.hold(task, LiveTask.TaskStage.PROPOSED, assignment);
    task.place = places++;
    settings.configuration().used(assignment);
  }

  @Override
  public void granted(long number, Allocation allocation, long atMs) {
    Optional<LiveTask> found = jobs.task(number);
    if (found.isEmpty()) {
      clusterChanged |= hosts.heldByOther(number, allocation);
      return;
    }
    LiveTask task = found.get();
    task.allocation = allocation;
    task.grantedMs = atMs;
    boolean asProposed =
        task.stage == LiveTask.TaskStage.PROPOSED && Holdings.are(task.assignment, allocation);
    if (task.own && asProposed) {
      started(task, task.assignment, task.withdrawn != null);
    } else {
      runs(task);
    }
  }

  @Override
  public void began(long number, long beganMs) {
    Optional<LiveTask> found = jobs.task(number).filter(it -> it.allocation != null);
    if (found.isEmpty()) {
      return;
    }
    LiveTask task = found.get();
    task.grantedMs = beganMs;
    if (task.own && task.holds() && task.assignment.start() != beganMs / 1000) {
      jobs.hold(task, task.stage, task.assignment.from(beganMs / 1000));
      clusterChanged = true;
    }
  }

  /**
   * A granted run that this engine did not propose, or proposed so long ago that it has proposed
   * another start since. Of other schedulers' runs only the processors count.
   */
  private void runs(LiveTask task) {
    if (task.own) {
      Assignment assignment = Holdings.of(task.allocation, task.grantedMs / 1000, configuration());
      task.place = places++;
      started(task, assignment, true);
    } else {
      jobs.hold(task, LiveTask.TaskStage.RUNNING, null);
      clusterChanged |= hosts.heldByOther(task.number, task.allocation);
    }
    clusterChanged = true;
  }

  /**
   * @param late true when the last proposed start was another one or none, so that this one had
   *     wrongly been taken for refused
   */
  private void started(LiveTask task, Assignment assignment, boolean late) {
    Optional<LiveJob> job = jobs.job(task.job());
    job.ifPresent(it -> it.refusing.started(hosts(assignment)));
    if (late) {
      job.ifPresent(it -> it.refusing.disproved(hosts(assignment)));
    }
    task.withdrawn = null;
    jobs.hold(task, LiveTask.TaskStage.RUNNING, assignment);
  }

  private static Set<String> hosts(Assignment assignment) {
    return assignment.grants().stream()
        .map(grant -> grant.queue().host())
        .collect(Collectors.toSet());
  }

  @Override
  public void requeued(long number) {
    suspended.ended(number);
    Optional<LiveTask> task = jobs.task(number);
    task.ifPresent(this::released);
    task.ifPresent(jobs::release);
    task.ifPresent(it -> it.ran = true);
    clusterChanged |= hosts.released(number);
  }

  /** As in Grid Engine, a suspended run keeps its resources, so that it can always be resumed. */
  @Override
  public void suspended(long number, RunSuspended fact) {
    suspended.suspended(number, fact);
  }

  @Override
  public void resumable(long number) {
    suspended.resumable(number);
  }

  @Override
  public void resumed(long number, long atMs) {
    suspended.ended(number);
  }

  @Override
  public void ending(long number, long atMs) {
    suspended.ending(number);
  }

  /** The suspended runs. */
  SuspendedRuns suspended() {
    return suspended;
  }

  /** Whether a run may be resumed for which that has not been proposed. */
  public boolean anyToResume() {
    return suspended.anyToResume();
  }

  /** Returns the runs to resume, by job, and counts them as proposed. */
  public Map<Long, Integer> takeToResume() {
    return suspended.takeToResume();
  }

  @Override
  public void withdraw(long number) {
    suspended.withdraw(number);
    jobs.task(number)
        .filter(task -> task.stage == LiveTask.TaskStage.PROPOSED)
        .ifPresent(
            task -> {
              task.withdrawn = task.assignment;
              jobs.release(task);
            });
  }

  /**
   * The shard has refused a start, or has not answered, and the start was withdrawn. If the job
   * could still start by the state known here, it avoids these hosts for a while.
   *
   * @param heard true for a refusal; an expired proposal does not double the pause
   * @param restMs length of the first pause in milliseconds
   */
  public void refused(long number, boolean heard, long nowMs, long restMs) {
    LiveTask task = jobs.task(number).orElse(null);
    if (task == null || task.withdrawn == null) {
      return;
    }
    boolean couldStart = task.own && !task.holds() && !task.held && !task.leaving;
    if (couldStart && open(task.spec.getQueue())) {
      Set<String> hosts = hosts(task.withdrawn);
      jobs.job(task.job()).ifPresent(job -> job.refusing.refused(hosts, heard, nowMs, restMs));
    }
    task.withdrawn = null;
  }

  /** The shard has refused a start, which was withdrawn, for a reason that holds on every host. */
  public void refused(long number) {
    jobs.task(number).ifPresent(task -> task.withdrawn = null);
  }

  /** The shard did not accept the rejection of a job: the job is considered again. */
  public void notGivenUp(long number) {
    jobs.task(number).ifPresent(task -> task.spent = false);
  }
}
