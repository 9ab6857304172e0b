package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.cluster.Pattern;
import io.millrace.schedulers.dialects.gridengine.request.RequestRefused;
import io.millrace.schedulers.dialects.gridengine.request.Submission;
import io.millrace.schedulers.dialects.gridengine.schedule.Assignment;
import io.millrace.schemas.common.JobSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Jobs that have not ended, by their numbers, and which of them wait for others (-hold_jid). */
final class LiveJobs {

  private final Map<Long, LiveTask> tasks = new HashMap<>();
  private final TreeMap<Long, LiveJob> jobs = new TreeMap<>();
  private final Map<Long, Set<Long>> successors = new HashMap<>();

  /** Tasks that hold something: asked after each fact, so it is never counted anew. */
  private int holding;

  Optional<LiveTask> task(long number) {
    return Optional.ofNullable(tasks.get(number));
  }

  Optional<LiveJob> job(long number) {
    return Optional.ofNullable(jobs.get(number));
  }

  Collection<LiveJob> all() {
    return jobs.values();
  }

  Collection<LiveTask> allTasks() {
    return tasks.values();
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Whether any task holds nothing. */
  boolean anyWaits() {
    return holding < tasks.size();
  }

  /** The task holds resources from now on. */
  void hold(LiveTask task, LiveTask.Stage stage, Assignment assignment) {
    holding += task.holds() ? 0 : 1;
    task.stage = stage;
    task.assignment = assignment;
  }

  /** The task waits again. */
  void release(LiveTask task) {
    holding -= task.holds() ? 1 : 0;
    task.stage = LiveTask.Stage.WAITING;
    task.assignment = null;
  }

  void add(LiveTask task) {
    remove(task.number);
    tasks.put(task.number, task);
    LiveJob job = jobs.computeIfAbsent(task.job(), LiveJob::new);
    boolean first = job.tasks.isEmpty();
    job.tasks.put(task.index(), task);
    job.changed();
    if (first) {
      depend(job);
    }
  }

  /** The names of -hold_jid mean the jobs that are there when the job comes. */
  private void depend(LiveJob job) {
    JobSpec spec = job.spec();
    for (String name : after(spec)) {
      for (LiveJob other : meant(name, spec.getOwner())) {
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

  private List<LiveJob> meant(String name, String owner) {
    if (name.matches("\\d{1,12}")) {
      return job(Long.parseLong(name)).stream().toList();
    }
    Pattern pattern = Pattern.of(name);
    List<LiveJob> meant = new ArrayList<>();
    for (LiveJob other : jobs.values()) {
      if (other.spec().getOwner().equals(owner) && pattern.fits(other.spec().getName())) {
        meant.add(other);
      }
    }
    return meant;
  }

  /** The jobs for which a job waits are those that its altered request names. */
  void altered(LiveTask task, JobSpec spec) {
    boolean sameAfter = after(task.spec).equals(after(spec));
    task.spec = spec;
    LiveJob job = jobs.get(task.job());
    job.changed();
    if (!sameAfter) {
      job.predecessors.clear();
      depend(job);
    }
  }

  /** The removed task, if it was there. */
  Optional<LiveTask> remove(long number) {
    LiveTask task = tasks.remove(number);
    if (task == null) {
      return Optional.empty();
    }
    holding -= task.holds() ? 1 : 0;
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
