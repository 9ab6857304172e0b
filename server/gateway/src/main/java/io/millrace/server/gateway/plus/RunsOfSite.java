package io.millrace.server.gateway.plus;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Jobs of the whole site that have nodes, or had some: a list of jobs has no subjobs. */
final class RunsOfSite {
  private RunsOfSite() {}

  /**
   * Visits jobs and subjobs with an allocation.
   *
   * @param history finished ones too
   * @param wanted which jobs; of an array it says so for all its subjobs
   */
  static void each(Call call, boolean history, Predicate<Job> wanted, Consumer<Job> visitor)
      throws QueryException, InterruptedException {
    Queries queries = call.wholeSite().queries();
    List<Job> arrays = new ArrayList<>();
    queries.jobs(
        JobFilter.all(history, call.invocation().user()),
        job -> {
          if (wanted.test(job) && job.getArray() != null) {
            arrays.add(job);
          } else if (wanted.test(job) && job.getAllocation() != null) {
            visitor.accept(job);
          }
          return true;
        });
    for (Job array : arrays) {
      List<Job> page = queries.subjobs(array, 0);
      while (!page.isEmpty()) {
        page.stream().filter(it -> it.getAllocation() != null).forEach(visitor);
        int last = JobNumbers.index(page.get(page.size() - 1).getNumber());
        page = page.size() < Queries.SUBJOBS_AT_ONCE ? List.of() : queries.subjobs(array, last + 1);
      }
    }
  }
}
