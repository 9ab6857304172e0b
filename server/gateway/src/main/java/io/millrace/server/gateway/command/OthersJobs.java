package io.millrace.server.gateway.command;

import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** What can be asked by somebody for whom the jobs of others are without their private parts. */
final class OthersJobs implements Queries {

  private final Queries all;
  private final String user;
  private final Supplier<Role> asked;

  /** Null until a job of somebody else is met: to know it may take a look-up of a host. */
  private volatile Role role;

  /**
   * @param role of the user; asked once at most
   */
  OthersJobs(Queries all, String user, Supplier<Role> role) {
    this.all = all;
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
  public boolean hides(long number) throws QueryException, InterruptedException {
    return all.hides(number);
  }

  @Override
  public List<Dependent> dependents(Job job) throws QueryException, InterruptedException {
    return all.dependents(job);
  }

  @Override
  public List<Job> subjobs(Job array, int from) throws QueryException, InterruptedException {
    return all.subjobs(array, from).stream().map(this::seen).toList();
  }

  @Override
  public void jobs(JobFilter filter, Each<Job> each) throws QueryException, InterruptedException {
    all.jobs(filter, job -> each.accept(seen(job)));
  }

  @Override
  public List<Queue> queues() throws QueryException, InterruptedException {
    return all.queues();
  }

  @Override
  public List<Node> nodes() throws QueryException, InterruptedException {
    return all.nodes();
  }

  @Override
  public List<Scheduler> schedulers() throws QueryException, InterruptedException {
    return all.schedulers();
  }

  @Override
  public Optional<Reason> reason(int shard, String scheduler, String classKey)
      throws QueryException, InterruptedException {
    return all.reason(shard, scheduler, classKey);
  }

  @Override
  public OptionalInt birth(long number) throws QueryException, InterruptedException {
    return all.birth(number);
  }
}
