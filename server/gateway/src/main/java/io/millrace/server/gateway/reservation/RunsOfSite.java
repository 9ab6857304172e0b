package io.millrace.server.gateway.reservation;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.jobs.RunWalltimes;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Jobs of the whole site that have nodes, or had some: a list of jobs has no subjobs. */
public final class RunsOfSite {
  private RunsOfSite() {}

  /**
   * Visits jobs and subjobs with an allocation.
   *
   * @param history finished ones too, and those that wait for another run
   * @param wanted which jobs; of an array it says so for all its subjobs
   */
  public static void each(Call call, boolean history, Predicate<Job> wanted, Consumer<Job> visitor)
      throws QueryException, InterruptedException {
    Queries queries = call.wholeSite().queries();
    List<Job> arrays = new ArrayList<>();
    queries.jobs(
        JobFilter.all(history, call.invocation().user()),
        job -> {
          if (wanted.test(job) && job.getArray() != null) {
            arrays.add(job);
          } else if (wanted.test(job) && ran(job, history)) {
            visitor.accept(job);
          }
          return true;
        });
    for (Job array : arrays) {
      List<Job> page = queries.subjobs(array, 0);
      while (!page.isEmpty()) {
        page.stream().filter(it -> ran(it, history)).forEach(visitor);
        int last = JobNumbers.index(page.get(page.size() - 1).getNumber());
        page = page.size() < Queries.SUBJOBS_AT_ONCE ? List.of() : queries.subjobs(array, last + 1);
      }
    }
  }

  private static boolean ran(Job job, boolean history) {
    return job.getAllocation() != null || history && job.getRun() > 0;
  }

  /** Whether the run has its nodes: a suspended one has none of them. */
  static boolean hasNodes(Job job) {
    return job.getSuspension() == Suspension.NONE;
  }

  /**
   * Whether nobody else gets what the run has: a cell of Grid Engine keeps it for suspended ones.
   */
  static boolean keepsNodes(Job job) {
    return hasNodes(job) || job.getSpec().getGridEngine() != null;
  }

  /** Visits the runs of jobs that keep their nodes and do not give way to reservations. */
  public static void staying(Call call, Consumer<Job> visitor)
      throws QueryException, InterruptedException {
    Set<String> giveWay = new HashSet<>();
    for (ClusterObject queue : call.site().cluster().all(ObjectKind.QUEUE)) {
      if (ClusterView.attribute(queue, AttributeTable.BEST_EFFORT).equals(Optional.of("True"))) {
        giveWay.add(queue.getName());
      }
    }
    each(
        call,
        false,
        job -> !giveWay.contains(job.getSpec().getQueue()),
        job -> {
          if (keepsNodes(job)) {
            visitor.accept(job);
          }
        });
  }

  /**
   * When a run ends by its walltime, milliseconds since 1970; without one it has no end, and none
   * is known while a cell of Grid Engine keeps its nodes for it: nothing ends it before it goes on.
   */
  public static long endMs(Job job) {
    if (!hasNodes(job) && keepsNodes(job)) {
      return Long.MAX_VALUE;
    }
    long seconds = RunWalltimes.of(job);
    boolean resumed = job.getResumedMs() >= 0 && hasNodes(job);
    long fromMs = resumed ? job.getResumedMs() - job.getRanMs() : job.getStartedMs();
    boolean none = seconds == RunWalltimes.NONE || seconds > (Long.MAX_VALUE - fromMs) / 1000;
    return none ? Long.MAX_VALUE : fromMs + seconds * 1000;
  }
}
