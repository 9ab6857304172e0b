package io.millrace.schedulers.core.cycle;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.QueuePlace;

/** Jobs in the internal form of a request, for callers without a shard, such as the simulator. */
public final class GivenJobs {

  private final SchedulerBooks books;

  GivenJobs(SchedulerBooks books) {
    this.books = books;
  }

  /**
   * A job that waits, in the internal form of a request.
   *
   * @param rank place in the order of submission; no two jobs have the same
   * @param request made by {@link #request}
   */
  public void job(long number, long rank, int priority, String queue, RequestShape request) {
    QueuePlace place = new QueuePlace(priority, rank);
    books.jobFacts().job(number, place, queue, JobOwner.ANYBODY, request);
  }

  /** A job of somebody that waits, of Priority 0; the others stand before it in submission. */
  public void job(long number, String queue, JobOwner owner, RequestShape request) {
    books.jobFacts().job(number, new QueuePlace(0, number), queue, owner, request);
  }

  /**
   * A request of chunks of one resource.
   *
   * @param amount of the resource in each chunk
   * @param walltimeMs estimated runtime; {@link UsageProfile#FOREVER} for none
   */
  public RequestShape request(int chunks, String resource, long amount, long walltimeMs) {
    return new RequestShape(chunks, books.names().number(resource), amount, walltimeMs);
  }

  /**
   * Tells the state that a start which it decided has happened; for callers without a shard that
   * would grant it, such as the simulator.
   */
  public void started(long number) {
    books.jobFacts().started(number);
  }
}
