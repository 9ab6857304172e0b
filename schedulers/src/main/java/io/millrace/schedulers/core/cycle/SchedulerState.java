package io.millrace.schedulers.core.cycle;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.search.ShortageEnds;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.ShardChanges;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.job.QueuePlace;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schedulers.core.state.promise.PromiseNotes;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.PastReservation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongToDoubleFunction;

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

  /** Sets the policy that holds while the scheduler object names none. */
  public void standard(Policy policy) {
    books.rearrangement().standard(policy);
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
   * run; {@link UsageProfile#NEVER} when there is no such thing.
   */
  public long nextPromiseMs() {
    return Math.min(
        Math.min(books.promiseBook().nextStartMs(), books.preemption().expiryMs()),
        books.rearrangement().calendarMs());
  }

  /** True when a {@link ReservationCycle} would look at any reservation. */
  public boolean reservationsDue() {
    return settings().scheduling() && books.reservationFacts().due();
  }

  /**
   * The shard refused what was proposed about a reservation: nothing more is proposed until {@link
   * #reservationResumes}.
   */
  public void reservationRefused(long number) {
    books.reservationFacts().refused(number);
  }

  /** What was proposed about a reservation was never answered. */
  public void reservationUnanswered(long number) {
    books.reservationFacts().unanswered(number);
  }

  /** A reservation that had ended before the first fact, and is still known. */
  public void past(PastReservation known) {
    books.reservable().past(known);
  }

  public void reservationResumes(long number) {
    books.reservationFacts().resume(number);
  }

  /** All promises that are held, by start and job. */
  public List<Promise> promises() {
    return books.promiseFacts().all();
  }

  /** What has been reported of them; nothing yet. */
  public PromiseNotes promiseNotes() {
    return new PromiseNotes(books.promiseBook());
  }

  /**
   * Takes over a promise that another state of the same scheduler held, so that it is kept. One for
   * a job that does not wait here is passed over.
   */
  public void adopt(long number, long fromMs, List<NodeShare> shares) {
    books.promiseFacts().adopt(number, fromMs, shares);
  }

  /**
   * Sets resources that jobs ask for and nodes are not asked about; before the jobs are known.
   *
   * @param resources names
   */
  public void unchecked(Set<String> resources) {
    books.names().unchecked(resources);
  }

  /**
   * Sets what the server has of resources by others than its attributes, in place of those.
   *
   * @param amounts by resource, as an attribute would say them
   */
  public void outside(Map<String, String> amounts) {
    books.cluster().outside(amounts);
  }

  /** Sets how long jobs have waited for resources, seconds by their numbers, for formulas. */
  public void eligible(LongToDoubleFunction seconds) {
    books.keys().eligible(seconds);
  }

  /** What is free of consumable resources on all usable nodes together, by name. */
  public Map<String, Long> freeNow() {
    Map<String, Long> sums = new TreeMap<>();
    for (Pool pool : books.nodes().pools()) {
      for (int i = 0; i < books.names().size(); i++) {
        if (pool.sumCapacity(i) > 0) {
          sums.merge(books.names().name(i), pool.free().sum(i), Long::sum);
        }
      }
    }
    return sums;
  }

  /** What there is of a resource on all usable nodes together. */
  public long capacity(String resource) {
    int number = books.names().number(resource);
    return books.nodes().pools().stream().mapToLong(pool -> pool.sumCapacity(number)).sum();
  }

  /** True when some usable node has a processor free. */
  public boolean anyNodeFree() {
    int processors = books.names().number("ncpus");
    return books.nodes().pools().stream().anyMatch(pool -> pool.free().most(processors) > 0);
  }

  /** Why the class of a job waits; null when no cycle has left it. */
  public Shortage shortage(long number) {
    int slot = books.book().jobs().find(number);
    return slot == JobSlots.NONE ? null : books.book().classOf(slot).shortage();
  }

  /** Number of the first waiting job of a class; -1 when none waits. */
  public long firstOf(ClassState owner) {
    return owner.waiting().size() == 0 ? -1 : books.book().jobs().number(owner.waiting().first());
  }

  /** Number of the classes with waiting jobs. */
  public int waitingClasses() {
    return books.book().order().size();
  }

  /** Jobs that have not finished. */
  public int jobCount() {
    return books.book().jobs().size();
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

  /**
   * Number of the suspended run that a job's start would resume; 0 for a job that would begin a new
   * run.
   */
  public int suspendedRun(long number) {
    return books.jobFacts().suspendedRun(number);
  }

  /**
   * The shard did not stop a job.
   *
   * @return the jobs that do not start for that reason
   */
  public List<Long> notStopped(long number) {
    return books.claims().notStopped(number);
  }

  /**
   * Leaves the class of a job out of cycles until {@link #endBackOff}.
   *
   * @return canonical text of the class, or null when the job is not known
   */
  public String backOff(long number, String code, long nowMs) {
    return books.jobFacts().backOff(number, code, nowMs);
  }

  /** Ends the pause of a class. */
  public void endBackOff(String classKey) {
    books.ready().endBackOff(classKey);
  }

  /** Has every class that waits considered again, and every promise searched again. */
  public void retryAll() {
    books.rearrangement().retryAll();
  }

  /** What run limits still allow; for a dialect that decides its own starts (Grid Engine). */
  public LimitGate limits() {
    return new LimitGate(books.book(), books.eligibility());
  }

  /** Number of starts that are proposed and not yet answered. */
  public int proposalsOpen() {
    return books.jobFacts().open();
  }
}
