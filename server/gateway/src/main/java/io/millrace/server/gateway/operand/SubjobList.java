package io.millrace.server.gateway.operand;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Accrual;
import io.millrace.schemas.state.AccrueType;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.Optional;

/**
 * Subjobs for display. Those without a record are derived from their array. A subjob has the state
 * of its array beside its own as long as the array has not ended: one that has ended is in the
 * history only when its array is.
 */
public final class SubjobList {

  private static final String INDEX = "^array_index^";

  private SubjobList() {}

  /** Takes one job after the other. */
  public interface SubjobConsumer {
    void accept(Job job) throws QueryException, InterruptedException;
  }

  /** Whether it is shown with the history only. */
  public static boolean old(Job job) {
    boolean expired = JobNumbers.isSubjob(job.getNumber()) && job.getArray() != null;
    return job.getStatus() == JobStatus.FINISHED && !expired;
  }

  /** A job, an array by its id with brackets, or a subjob with or without a record. */
  public static Optional<Job> job(Queries queries, JobIds.JobId id)
      throws QueryException, InterruptedException {
    Optional<Job> found = queries.job(id.number());
    if (!JobNumbers.isSubjob(id.number())) {
      return found.filter(job -> job.getId().equals(id.id()));
    }
    int index = JobNumbers.index(id.number());
    Job array = queries.job(JobNumbers.array(id.number())).orElse(null);
    if (array == null || array.getArray() == null) {
      return found;
    }
    ArrayState state = array.getArray();
    boolean has =
        index >= state.getFirst()
            && index <= state.getLast()
            && (index - state.getFirst()) % state.getStep() == 0;
    return has ? Optional.of(shown(array, index, found.orElse(null))) : Optional.empty();
  }

  /** An array, then its subjobs in the order of their indices. */
  public static void of(Queries queries, Job array, SubjobConsumer each)
      throws QueryException, InterruptedException {
    each.accept(array);
    ArrayState state = array.getArray();
    List<Job> page = queries.subjobs(array, state.getFirst());
    int next = 0;
    for (int i = state.getFirst(); i <= state.getLast(); i += state.getStep()) {
      if (next == page.size() && next >= Queries.SUBJOBS_AT_ONCE) {
        page = queries.subjobs(array, i);
        next = 0;
      }
      while (next < page.size() && JobNumbers.index(page.get(next).getNumber()) < i) {
        next++;
      }
      boolean recorded = next < page.size() && JobNumbers.index(page.get(next).getNumber()) == i;
      each.accept(shown(array, i, recorded ? page.get(next++) : null));
    }
  }

  private static Job shown(Job array, int index, Job recorded) {
    Job job = copy(recorded == null ? array : recorded);
    if (recorded == null) {
      withoutRecord(job, array, index);
    }
    job.setArray(array.getStatus() == JobStatus.FINISHED ? null : array.getArray());
    return job;
  }

  private static boolean left(ArrayState state, int index) {
    for (IndexRange range : state.getLeft()) {
      if (range.getFirst() <= index && index <= range.getLast()) {
        return true;
      }
    }
    return false;
  }

  private static Job copy(Job job) {
    Job copy = new Job();
    for (int i = 0; i < Job.SCHEMA$.getFields().size(); i++) {
      copy.put(i, job.get(i));
    }
    return copy;
  }

  /** Fills in a subjob without a record: one that waits, or was deleted. */
  private static void withoutRecord(Job job, Job array, int index) {
    boolean waits = array.getStatus() != JobStatus.FINISHED && left(array.getArray(), index);
    String server = array.getId().substring(array.getId().indexOf('.') + 1);
    job.setNumber(JobNumbers.subjob(array.getNumber(), index));
    job.setId(JobNumbers.id(job.getNumber(), server));
    job.setDepend(List.of());
    job.setDependents(0);
    job.setStatus(waits ? JobStatus.QUEUED : JobStatus.FINISHED);
    Accrual waited = array.getAccrual();
    if (!waits && waited != null) {
      job.setAccrual(new Accrual(AccrueType.EXIT, 0L, waited.getEligibleMs(), 0L));
    }
    job.setHolds("n");
    job.setStartedMs(-1L);
    job.setExitStatus(null);
    job.setEvents(List.of());
    JobSpec spec = copy(array.getSpec());
    spec.setOutputPath(spec.getOutputPath().replace(INDEX, Integer.toString(index)));
    spec.setErrorPath(spec.getErrorPath().replace(INDEX, Integer.toString(index)));
    job.setSpec(spec);
  }

  private static JobSpec copy(JobSpec spec) {
    JobSpec copy = new JobSpec();
    for (int i = 0; i < JobSpec.SCHEMA$.getFields().size(); i++) {
      copy.put(i, spec.get(i));
    }
    return copy;
  }
}
