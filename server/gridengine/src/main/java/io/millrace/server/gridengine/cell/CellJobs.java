package io.millrace.server.gridengine.cell;

import io.millrace.schedulers.gridengine.language.cluster.WildcardPattern;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Jobs that came in Grid Engine's way and have not ended. */
public final class CellJobs {

  private CellJobs() {}

  /** All of the cell, or those of an owner; tasks of an array are jobs of their own. */
  public static List<Job> all(Call call, String owner)
      throws Failure, QueryException, InterruptedException {
    return of(call, call.site(), owner);
  }

  /** All of the cell, also those that the caller may not see: to reckon with, not to tell. */
  public static List<Job> ofEverybody(Call call)
      throws Failure, QueryException, InterruptedException {
    return of(call, call.wholeSite(), "");
  }

  private static List<Job> of(Call call, Site site, String owner)
      throws Failure, QueryException, InterruptedException {
    OfCell here = new OfCell(call);
    JobFilter filter = JobFilter.all(false, call.invocation().user());
    List<Job> jobs = new ArrayList<>();
    site.queries()
        .jobs(
            owner.isEmpty() ? filter : filter.ownedBy(owner),
            job -> {
              if (job.getStatus() != JobStatus.FINISHED && here.has(job)) {
                jobs.add(job);
              }
              return true;
            });
    return jobs;
  }

  /** Jobs that have ended and are still remembered (job_history_duration), the latest ones. */
  public static List<Job> finished(Call call, int max)
      throws Failure, QueryException, InterruptedException {
    ArrayDeque<Job> jobs = new ArrayDeque<>();
    eachFinished(
        call,
        job -> {
          jobs.add(job);
          if (jobs.size() > max) {
            jobs.remove();
          }
        });
    return List.copyOf(jobs);
  }

  /** Visits those that have ended and are still remembered, also when their queue is gone. */
  public static void eachFinished(Call call, Consumer<Job> visitor)
      throws Failure, QueryException, InterruptedException {
    OfCell here = new OfCell(call);
    call.site()
        .queries()
        .jobs(
            JobFilter.all(true, call.invocation().user()),
            job -> {
              if (job.getStatus() == JobStatus.FINISHED && (here.ran(job) || here.has(job))) {
                visitor.accept(job);
              }
              return true;
            });
  }

  /** Jobs that came in Grid Engine's way and wait in a queue of the cell, or in a reservation. */
  private static final class OfCell {
    private final Site site;
    private final String cell;
    private final Map<String, Boolean> queues = new HashMap<>();

    OfCell(Call call) throws Failure {
      this.site = call.site();
      this.cell = Cell.object(call).getName();
    }

    /** The queue of a reservation goes with it, and its jobs are the cell's for all that. */
    boolean ran(Job job) {
      return job.getSpec().getGridEngine() != null && job.getScheduler().equals(cell);
    }

    boolean has(Job job) throws QueryException, InterruptedException {
      if (job.getSpec().getGridEngine() == null) {
        return false;
      }
      String queue = job.getSpec().getQueue();
      Boolean known = queues.get(queue);
      if (known == null) {
        known =
            CellReservations.partitionOfQueue(site, queue)
                .flatMap(it -> ClusterView.attribute(it, "scheduler"))
                .filter(cell::equals)
                .isPresent();
        queues.put(queue, known);
      }
      return known;
    }
  }

  /** Tasks by the number of their job, in ascending order. */
  public static TreeMap<Long, List<Job>> byNumber(List<Job> tasks) {
    TreeMap<Long, List<Job>> jobs = new TreeMap<>();
    for (Job task : tasks) {
      jobs.computeIfAbsent(Texts.number(task), number -> new ArrayList<>()).add(task);
    }
    return jobs;
  }

  /** Whether a job is meant by a number, or by a pattern of names. */
  public static boolean meant(String name, Job job) {
    return name.matches("\\d{1,12}")
        ? Texts.number(job) == Long.parseLong(name)
        : WildcardPattern.of(name).fits(job.getSpec().getName());
  }

  /** Whether somebody, or what it waits for, holds the job; the error state is no hold. */
  public static boolean held(Job job) {
    return !job.getHolds().equals("n") && !job.getHolds().equals("e");
  }

  /** Whether a run of the job holds its place on a host. */
  public static boolean runs(Job job) {
    return job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING;
  }
}
