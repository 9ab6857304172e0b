package io.millrace.schedulers.gridengine.language;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.EnvironmentRequest;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of jobs (sge_priority): the weighted sum of -p, urgency and tickets, each normalised to
 * 0..1. Urgency is normalised over the jobs that run or wait now, so it changes with them.
 */
public final class Priorities {

  /** Normalised value when all jobs have the same. */
  private static final double EQUAL = 0.5;

  private static final double SAME = 0.00001;

  private final Map<Long, PriorityOfJob> byJob = new HashMap<>();
  private final Cluster cluster;
  private final double waitingWeight;
  private final double deadlineWeight;
  private final long now;

  /** Number of slots that counts for the urgency of each parallel environment request. */
  private final Map<EnvironmentRequest, Integer> slots = new HashMap<>();

  /**
   * A job's priority and what it is made of.
   *
   * @param urgency normalised, as posix is
   * @param absoluteUrgency the sum before it is normalised
   * @param waiting what time adds to that sum
   */
  public record PriorityOfJob(
      double total, double urgency, double absoluteUrgency, double posix, WaitingUrgency waiting) {}

  /** Urgency from the waiting time and from the time left until the deadline. */
  public record WaitingUrgency(double time, double deadline) {

    public double sum() {
      return time + deadline;
    }
  }

  /**
   * Priorities of a set of jobs, normalised over them.
   *
   * @param scheduler settings of the table of sched_conf
   * @param jobs all that run or wait
   * @param now in seconds since 1970
   */
  public Priorities(
      Cluster cluster, OptionValues scheduler, Collection<GridEngineJob> jobs, long now) {
    this.cluster = cluster;
    this.waitingWeight = weight(scheduler, "waiting_time");
    this.deadlineWeight = weight(scheduler, "deadline");
    this.now = now;
    double[] urgencies = jobs.stream().mapToDouble(this::urgency).toArray();
    double least = Arrays.stream(urgencies).min().orElse(0);
    double most = Arrays.stream(urgencies).max().orElse(0);
    double priorityWeight = weight(scheduler, "priority");
    double urgencyWeight = weight(scheduler, "urgency");
    double tickets = weight(scheduler, "ticket") * EQUAL;
    int next = 0;
    for (GridEngineJob job : jobs) {
      double absolute = urgencies[next++];
      double urgency = most - least < SAME ? EQUAL : (absolute - least) / (most - least);
      double posix = (job.urge().priority() + 1024) / 2048.0;
      double total = priorityWeight * posix + urgencyWeight * urgency + tickets;
      byJob.put(job.number(), new PriorityOfJob(total, urgency, absolute, posix, waiting(job)));
    }
  }

  private static double weight(OptionValues scheduler, String of) {
    return scheduler.number("weight_" + of);
  }

  public PriorityOfJob of(GridEngineJob job) {
    return byJob.get(job.number());
  }

  /** The more important job first; of equal ones the one with the lower number. */
  public List<GridEngineJob> sorted(Collection<GridEngineJob> jobs) {
    record Ranked(GridEngineJob job, double total) {}
    List<Ranked> ranked = new ArrayList<>(jobs.size());
    jobs.forEach(job -> ranked.add(new Ranked(job, of(job).total())));
    ranked.sort(
        (one, other) -> {
          int byPriority = Double.compare(other.total(), one.total());
          return byPriority != 0
              ? byPriority
              : Long.compare(one.job().number(), other.job().number());
        });
    return ranked.stream().map(Ranked::job).toList();
  }

  private double urgency(GridEngineJob job) {
    int slots = job.needs().environment().map(this::slots).orElse(1);
    double urgency = cluster.complexes().slots().urgency(1, slots);
    for (AttributeRequest request : job.needs().hard()) {
      urgency += request.complex().urgency(request.amount(), slots);
    }
    return urgency + waiting(job).sum();
  }

  private WaitingUrgency waiting(GridEngineJob job) {
    long deadline = job.urge().deadline_s();
    return new WaitingUrgency(
        waitingWeight * (now - job.urge().submitted_s()),
        deadline > 0 ? deadlineWeight / Math.max(deadline - now, 1) : 0);
  }

  private int slots(EnvironmentRequest request) {
    return slots.computeIfAbsent(request, it -> it.urgencySlots(cluster));
  }
}
