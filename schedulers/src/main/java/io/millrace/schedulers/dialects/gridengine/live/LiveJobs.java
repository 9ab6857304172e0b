package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.gridengine.language.cluster.WildcardPattern;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.JobSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Jobs of the shard that have not ended, by their numbers, and which of them wait for others
 * (-hold_jid). A shard can have several schedulers: the jobs of the others are kept too, because
 * own jobs may depend on them and their queues may move to this scheduler; they are ignored
 * otherwise.
 */
final class LiveJobs {

  private final Map<Long, LiveTask> tasks = new HashMap<>();
  private final TreeMap<Long, LiveJob> jobs = new TreeMap<>();
  private final TreeMap<Long, LiveTask> ownTasks = new TreeMap<>();
  private final TreeMap<Long, LiveJob> ownJobs = new TreeMap<>();
  private final Map<Long, Set<Long>> successors = new HashMap<>();

  /**
   * Number of own tasks that hold resources; kept as a counter because it is asked for after each
   * fact.
   */
  private int holding;

  Optional<LiveTask> task(long number) {
    return Optional.ofNullable(tasks.get(number));
  }

  /** A job of the shard, which may belong to another scheduler. */
  Optional<LiveJob> job(long number) {
    return Optional.ofNullable(jobs.get(number));
  }

  /** Jobs of which this scheduler has at least one task, by ascending number. */
  Collection<LiveJob> all() {
    return ownJobs.values();
  }

  /** All tasks of this scheduler. */
  Collection<LiveTask> allTasks() {
    return ownTasks.values();
  }

  /** All tasks of the shard, in ascending number. */
  List<LiveTask> ofShard() {
    return tasks.values().stream().sorted(Comparator.comparingLong(task -> task.number)).toList();
  }

  boolean isEmpty() {
    return ownTasks.isEmpty();
  }

  /** Whether any task of this scheduler holds no resources. */
  boolean anyWaits() {
    return holding < ownTasks.size();
  }

  /** Records that the task holds resources. */
  void hold(LiveTask task, LiveTask.TaskStage stage, Assignment assignment) {
    holding += task.own && !task.holds() ? 1 : 0;
    task.stage = stage;
    task.assignment = assignment;
  }

  /** Records that the task waits again. */
  void release(LiveTask task) {
    holding -= task.own && task.holds() ? 1 : 0;
    task.stage = LiveTask.TaskStage.WAITING;
    task.assignment = null;
  }

  /** Sets whether the task belongs to this scheduler. */
  void belongs(LiveTask task, boolean own) {
    if (task.own == own) {
      return;
    }
    task.own = own;
    int one = own ? 1 : -1;
    holding += task.holds() ? one : 0;
    LiveJob job = jobs.get(task.job());
    job.own += one;
    job.changed();
    if (own) {
      ownTasks.put(task.number, task);
      ownJobs.put(job.number, job);
    } else {
      ownTasks.remove(task.number);
      if (job.own == 0) {
        ownJobs.remove(job.number);
      }
    }
  }

  /**
   * @param own whether it is this scheduler's
   */
  void add(LiveTask task, boolean own) {
    remove(task.number);
    tasks.put(task.number, task);
    LiveJob job = jobs.computeIfAbsent(task.job(), LiveJob::new);
    boolean first = job.tasks.isEmpty();
    job.tasks.put(task.index(), task);
    job.changed();
    belongs(task, own);
    if (first) {
      depend(job);
    }
  }

  /** Resolves -hold_jid: its names match the jobs that exist when the job is submitted. */
  private void depend(LiveJob job) {
    for (String name : after(job.spec())) {
      for (LiveJob other : meant(name, job)) {
        if (other.number < job.number) {
          job.predecessors.add(other.number);
          successors.computeIfAbsent(other.number, n -> new HashSet<>()).add(job.number);
        }
      }
    }
  }

  private static List<String> after(JobSpec spec) {
    try {
      return Submission.of(spec.getGridEngine().getOptions()).after();
    } catch (RequestRefused e) {
      return List.of(); // the job cannot be decided on anyway, which is said there
    }
  }

  /**
   * Jobs that one word of -hold_jid matches: a number is one job of any scheduler, a name the
   * owner's jobs of this cell.
   */
  private List<LiveJob> meant(String name, LiveJob job) {
    if (name.matches("\\d{1,12}")) {
      return job(Long.parseLong(name)).stream().toList();
    }
    WildcardPattern pattern = WildcardPattern.of(name);
    List<LiveJob> meant = new ArrayList<>();
    String owner = job.spec().getOwner();
    for (LiveJob other : job.own > 0 ? ownJobs.values() : jobs.values()) {
      if (other.own > 0 == job.own > 0
          && other.spec().getOwner().equals(owner)
          && pattern.fits(other.spec().getName())) {
        meant.add(other);
      }
    }
    return meant;
  }

  /** Resolves -hold_jid again from the altered request. */
  void altered(LiveTask task, JobSpec spec) {
    boolean sameAfter = after(task.spec).equals(after(spec));
    task.spec = spec;
    LiveJob job = jobs.get(task.job());
    job.changed();
    job.refusing.forgiven();
    if (!sameAfter) {
      job.predecessors.clear();
      depend(job);
    }
  }

  /** Removes and returns the task, if it exists. */
  Optional<LiveTask> remove(long number) {
    LiveTask task = tasks.remove(number);
    if (task == null) {
      return Optional.empty();
    }
    belongs(task, false);
    LiveJob job = jobs.get(task.job());
    job.tasks.remove(task.index());
    if (job.tasks.isEmpty()) {
      jobs.remove(job.number);
      for (long waiting : successors.getOrDefault(job.number, Set.of())) {
        job(waiting).ifPresent(other -> other.predecessors.remove(job.number));
      }
      successors.remove(job.number);
    }
    return Optional.of(task);
  }
}
