package io.millrace.server.gateway.command;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.Optional;

/** The queries of a user who may see only his own jobs. */
final class OwnJobs extends PassedOnQueries {

  private final String user;

  OwnJobs(Queries all, String user) {
    super(all);
    this.user = user;
  }

  private boolean own(Job job) {
    return job.getSpec().getOwner().equals(user);
  }

  @Override
  public Optional<Job> job(long number) throws QueryException, InterruptedException {
    return all.job(number).filter(this::own);
  }

  @Override
  public boolean hides(long number) throws QueryException, InterruptedException {
    // A subjob without a record belongs to the owner of its array.
    return all.job(JobNumbers.array(number)).filter(job -> !own(job)).isPresent();
  }

  @Override
  public List<Job> subjobs(Job array, int from) throws QueryException, InterruptedException {
    return own(array) ? all.subjobs(array, from) : List.of();
  }

  @Override
  public void jobs(JobFilter filter, RecordReceiver<Job> each)
      throws QueryException, InterruptedException {
    if (filter.owner().filter(owner -> !owner.equals(user)).isEmpty()) {
      all.jobs(filter.ownedBy(user), each);
    }
  }
}
