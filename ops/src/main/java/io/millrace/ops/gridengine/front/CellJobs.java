package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.cluster.Pattern;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Jobs that came in Grid Engine's way and have not ended. */
final class CellJobs {

  private CellJobs() {}

  /** All of them, or those of an owner; tasks of an array are jobs of their own. */
  static List<Job> all(Call call, String owner) throws QueryException, InterruptedException {
    JobFilter filter = JobFilter.all(false);
    List<Job> jobs = new ArrayList<>();
    call.site()
        .queries()
        .jobs(
            owner.isEmpty() ? filter : filter.ownedBy(owner),
            job -> {
              if (job.getSpec().getGridEngine() != null && job.getStatus() != JobStatus.FINISHED) {
                jobs.add(job);
              }
              return true;
            });
    return jobs;
  }

  /** Tasks by the number of their job, in ascending order. */
  static TreeMap<Long, List<Job>> byNumber(List<Job> tasks) {
    TreeMap<Long, List<Job>> jobs = new TreeMap<>();
    for (Job task : tasks) {
      jobs.computeIfAbsent(Texts.number(task), number -> new ArrayList<>()).add(task);
    }
    return jobs;
  }

  /** Whether a job is meant by a number, or by a pattern of names. */
  static boolean meant(String name, Job job) {
    return name.matches("\\d{1,12}")
        ? Texts.number(job) == Long.parseLong(name)
        : Pattern.of(name).fits(job.getSpec().getName());
  }
}
