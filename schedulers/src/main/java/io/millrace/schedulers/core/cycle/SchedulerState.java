package io.millrace.schedulers.core.cycle;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.search.ShortageEnds;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.ShardChanges;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schedulers.core.state.promise.PromiseNotes;
import java.util.List;

/**
 * What one scheduler knows of its shard, for those who run it. Changed by {@link #facts}, by {@link
 * Cycle}, which takes hold of what it decides, and by the answers to its proposals. Used by one
 * thread.
 */
public final class SchedulerState {

  private final SchedulerBooks books;
  private final ShardChanges facts;
  private final CycleSearches bench;
  private final ShortageEnds shortageEnds;
  private final ProposalAnswers answers;
  private final GivenJobs given;
  private final ClusterTotals totals;
  private final WaitingJobsView waiting;
  private final SchedulerInputs inputs;

  /**
   * @param scheduler name of the scheduler object
   * @param shard number of the shard whose facts are followed
   * @param policy what holds while the scheduler object names no policy
   * @param proposalsMax most starts that may be proposed and not yet answered
   */
  public SchedulerState(String scheduler, int shard, Policy policy, int proposalsMax) {
    this.books = new SchedulerBooks(scheduler, shard, policy, proposalsMax, this::shortageEndMs);
    this.facts = new ShardChanges(books);
    this.bench = new CycleSearches(books);
    this.shortageEnds = new ShortageEnds(books, bench.earliest());
    this.answers = new ProposalAnswers(books);
    this.given = new GivenJobs(books);
    this.totals = new ClusterTotals(books);
    this.waiting = new WaitingJobsView(books);
    this.inputs = new SchedulerInputs(books);
  }

  private long shortageEndMs(ClassState owner) {
    return shortageEnds.endMs(owner);
  }

  SchedulerBooks books() {
    return books;
  }

  CycleSearches bench() {
    return bench;
  }

  /** Receives the facts of the shard. */
  public ShardFollower facts() {
    return facts;
  }

  public SchedulerSettings settings() {
    return books.settings();
  }

  /** The policy that holds now. */
  public Policy policy() {
    return books.policy();
  }

  public ReasonBook reasons() {
    return books.reasons();
  }

  /** True when a cycle would consider anything. */
  public boolean workDue() {
    return (books.promiseFacts().touched() || books.ready().isDue()) && books.room() > 0;
  }

  /**
   * True when a cycle at this time would consider anything, a promised start that has become due
   * included.
   */
  public boolean workDue(long nowMs) {
    return workDue() || nextPromiseMs() <= nowMs && books.room() > 0;
  }

  /**
   * Time at which the next promised start is due, a stopped job should be gone, or other jobs may
   * run or stand first; {@link UsageProfile#NEVER} when there is no such thing.
   */
  public long nextPromiseMs() {
    return Math.min(
        Math.min(books.promiseBook().nextStartMs(), books.preemption().expiryMs()),
        Math.min(books.rearrangement().calendarMs(), books.ready().restsUntilMs()));
  }

  /** True when a {@link ReservationCycle} would look at any reservation. */
  public boolean reservationsDue() {
    return settings().scheduling() && books.reservationFacts().due();
  }

  /** All promises that are held, by start and job. */
  public List<Promise> promises() {
    return books.promiseFacts().all();
  }

  /** What has been reported of them; nothing yet. */
  public PromiseNotes promiseNotes() {
    return new PromiseNotes(books.promiseBook());
  }

  /** What run limits still allow; for a dialect that decides its own starts (Grid Engine). */
  public LimitGate limits() {
    return new LimitGate(books.book(), books.eligibility());
  }

  /** What became of proposals. */
  public ProposalAnswers answers() {
    return answers;
  }

  /** Jobs of callers without a shard. */
  public GivenJobs given() {
    return given;
  }

  /** What all usable nodes have together. */
  public ClusterTotals totals() {
    return totals;
  }

  /** Which jobs there are and why they wait. */
  public WaitingJobsView waiting() {
    return waiting;
  }

  /** Takes what comes from elsewhere than the facts of the shard. */
  public SchedulerInputs inputs() {
    return inputs;
  }
}
