package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.request.Job;
import io.millrace.schedulers.dialects.gridengine.request.ResourceRequest;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of jobs (sge_priority): the weighted sum of -p, urgency and tickets, each normalised to
 * 0..1. Urgency is normalised over the jobs that run or wait now, so it changes with them.
 */
public final class Priorities {

  /** Normalised share of a job when all jobs have the same. */
  private static final double EQUAL = 0.5;

  private static final double SAME = 0.00001;

  private final Map<Long, Priority> byJob = new HashMap<>();

  /** A job's priority and what it is made of. */
  public record Priority(double total, double urgency, double absoluteUrgency, double posix) {}

  Priorities(ClusterState state, Collection<Job> jobs, long now) {
    Policy policy = new Policy(state.scheduler());
    Map<Long, Double> urgencies = new HashMap<>();
    jobs.forEach(job -> urgencies.put(job.number(), urgency(job, state.cluster(), policy, now)));
    double least = urgencies.values().stream().mapToDouble(u -> u).min().orElse(0);
    double most = urgencies.values().stream().mapToDouble(u -> u).max().orElse(0);
    for (Job job : jobs) {
      double absolute = urgencies.get(job.number());
      double urgency = most - least < SAME ? EQUAL : (absolute - least) / (most - least);
      double posix = (job.urge().priority() + 1024) / 2048.0;
      double total =
          policy.weight("priority") * posix
              + policy.weight("urgency") * urgency
              + policy.weight("ticket") * EQUAL;
      byJob.put(job.number(), new Priority(total, urgency, absolute, posix));
    }
  }

  /** Priorities of all jobs of a state at a time. */
  public static Priorities of(ClusterState state, long now) {
    Map<Long, Job> jobs = new HashMap<>();
    state.running().forEach(task -> jobs.put(task.job().number(), task.job()));
    state.pending().forEach(pending -> jobs.put(pending.job().number(), pending.job()));
    return new Priorities(state, List.copyOf(jobs.values()), now);
  }

  public Priority of(Job job) {
    return byJob.get(job.number());
  }

  /** The more important job first; of equal ones the one with the lower number. */
  int compare(Job one, Job other) {
    int byPriority = Double.compare(of(other).total(), of(one).total());
    return byPriority != 0 ? byPriority : Long.compare(one.number(), other.number());
  }

  private static double urgency(Job job, Cluster cluster, Policy policy, long now) {
    int slots = job.needs().environment().map(e -> e.urgencySlots(cluster)).orElse(1);
    double urgency = cluster.complexes().slots().urgency(1, slots);
    for (ResourceRequest request : job.needs().hard()) {
      urgency += request.complex().urgency(request.amount(), slots);
    }
    urgency += policy.weight("waiting_time") * (now - job.urge().submitted_s());
    if (job.urge().deadline_s() > 0) {
      urgency += policy.weight("deadline") / Math.max(job.urge().deadline_s() - now, 1);
    }
    return urgency;
  }
}
