package io.millrace.server.gridengine.cell;

import io.millrace.schedulers.gridengine.language.cluster.WildcardPattern;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

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
    Predicate<Job> here = ofCell(call);
    JobFilter filter = JobFilter.all(false, call.invocation().user());
    List<Job> jobs = new ArrayList<>();
    site.queries()
        .jobs(
            owner.isEmpty() ? filter : filter.ownedBy(owner),
            job -> {
              if (job.getStatus() != JobStatus.FINISHED && here.test(job)) {
                jobs.add(job);
              }
              return true;
            });
    return jobs;
  }

  /** Jobs that have ended and are still remembered (job_history_duration), the latest ones. */
  public static List<Job> finished(Call call, int max)
      throws Failure, QueryException, InterruptedException {
    Predicate<Job> here = ofCell(call);
    ArrayDeque<Job> jobs = new ArrayDeque<>();
    call.site()
        .queries()
        .jobs(
            JobFilter.all(true, call.invocation().user()),
            job -> {
              if (job.getStatus() == JobStatus.FINISHED && here.test(job)) {
                jobs.add(job);
                if (jobs.size() > max) {
                  jobs.remove();
                }
              }
              return true;
            });
    return List.copyOf(jobs);
  }

  /** Whether a job came in Grid Engine's way and waits in a queue of the cell. */
  private static Predicate<Job> ofCell(Call call) throws Failure {
    Site site = call.site();
    String cell = Cell.object(call).getName();
    Map<String, Boolean> queues = new HashMap<>();
    return job ->
        job.getSpec().getGridEngine() != null
            && queues.computeIfAbsent(
                job.getSpec().getQueue(),
                queue ->
                    site.cluster()
                        .find(ObjectKind.QUEUE, queue)
                        .filter(it -> site.schedulerOf(it).equals(cell))
                        .isPresent());
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

  /** Whether a run of the job holds its place on a host. */
  public static boolean runs(Job job) {
    return job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING;
  }
}
