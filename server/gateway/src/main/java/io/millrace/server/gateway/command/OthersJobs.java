package io.millrace.server.gateway.command;

import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What can be asked by somebody for whom the jobs of others are without their private parts. */
final class OthersJobs extends PassedOnQueries {

  private final String user;
  private final Supplier<Role> asked;

  /** Null until a job of somebody else is met: to know it may take a look-up of a host. */
  private volatile Role role;

  /**
   * @param role of the user; asked once at most
   */
  OthersJobs(Queries all, String user, Supplier<Role> role) {
    super(all);
    this.user = user;
    this.asked = role;
  }

  private Role role() {
    Role known = role;
    if (known == null) {
      known = asked.get();
      role = known;
    }
    return known;
  }

  private Job seen(Job job) {
    return PrivateParts.seenBy(user, this::role, job);
  }

  @Override
  public Optional<Job> job(long number) throws QueryException, InterruptedException {
    return all.job(number).map(this::seen);
  }

  @Override
  public List<Job> subjobs(Job array, int from) throws QueryException, InterruptedException {
    return all.subjobs(array, from).stream().map(this::seen).toList();
  }

  @Override
  public void jobs(JobFilter filter, RecordReceiver<Job> each)
      throws QueryException, InterruptedException {
    all.jobs(filter, job -> each.accept(seen(job)));
  }
}
