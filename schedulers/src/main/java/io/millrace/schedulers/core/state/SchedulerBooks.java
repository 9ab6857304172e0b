package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobBook;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.job.PreemptedJobs;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.core.state.job.ShareBook;
import io.millrace.schedulers.core.state.job.SortKeys;
import io.millrace.schedulers.core.state.limit.Eligibility;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.NodeChanges;
import io.millrace.schedulers.core.state.node.NodeTable;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.preemption.PreemptionBook;
import io.millrace.schedulers.core.state.promise.PromiseBook;
import io.millrace.schedulers.core.state.promise.PromiseChanges;
import io.millrace.schedulers.core.state.reservation.ReservableBook;
import io.millrace.schedulers.core.state.reservation.ReservationBook;
import java.util.function.ToLongFunction;

/**
 * All that one scheduler knows of its shard, by subject, and the listeners that keep the subjects
 * consistent. Used by one thread.
 */
public final class SchedulerBooks {

  private final String scheduler;
  private final int proposalsMax;
  private final LatestTime time = new LatestTime();
  private final ResourceNames names = new ResourceNames();
  private final NodeTable nodes = new NodeTable(names, this::poolChanged, this::rebound);
  private final Eligibility eligibility = new Eligibility(nodes, names, this::serves, this::wake);
  private final ShareBook shares = new ShareBook();
  private final PreemptionBook preemption = new PreemptionBook(eligibility, shares);
  private final AllocationBook holdings = new AllocationBook(nodes, names);
  private final PromiseBook promiseBook = new PromiseBook(eligibility);
  private final ReasonBook reasons;
  private final PreemptedJobs preempted = new PreemptedJobs();
  private final SortKeys keys;
  private final JobBook jobs;
  private final ClusterBook cluster;
  private final ReadyQueue ready;
  private final PromiseChanges promises;
  private final PreemptionClaims claims;
  private final JobChanges jobFacts;
  private final NodeChanges nodeFacts;
  private final Rearrangement rearrangement;
  private final ReservationBook reservations = new ReservationBook(this::serves);
  private final ReservableBook reservable;
  private final ReservationChanges reservationFacts;

  /**
   * @param scheduler name of the scheduler object
   * @param shard number of the shard whose facts are followed
   * @param policy what holds while the scheduler object names no policy
   * @param proposalsMax most starts that may be proposed and not yet answered
   * @param shortageEnd when what a class waits for ends, where its reason does not say it
   */
  public SchedulerBooks(
      String scheduler,
      int shard,
      Policy policy,
      int proposalsMax,
      ToLongFunction<ClassState> shortageEnd) {
    this.scheduler = scheduler;
    this.proposalsMax = proposalsMax;
    this.reasons = new ReasonBook(names, shortageEnd);
    this.cluster =
        new ClusterBook(
            scheduler, nodes, this::retry, this::settingsChanged, this::limitsChanged, this::found);
    this.ready = new ReadyQueue(cluster, eligibility, preemption, reasons, time);
    JobSlots table = new JobSlots();
    this.keys = new SortKeys(names, table, policy.order(), shares, preempted);
    this.jobs =
        new JobBook(
            names,
            table,
            new JobBook.JobBookRules(eligibility, preemption::level, keys),
            new JobBook.Listeners(this::waiting, ready::drained, this::otherFirst));
    keys.owners(jobs::account);
    this.promises =
        new PromiseChanges(promiseBook, jobs, holdings, eligibility, names, this::policy);
    this.claims = new PreemptionClaims(jobs, holdings, promises, ready, preemption);
    this.jobFacts = new JobChanges(this);
    this.nodeFacts = new NodeChanges(nodes, holdings, shard);
    this.rearrangement = new Rearrangement(this, policy);
    this.reservable = new ReservableBook(scheduler, nodes);
    this.reservationFacts = new ReservationChanges(this);
  }

  public String scheduler() {
    return scheduler;
  }

  /** Number of starts that may be proposed now. */
  public int room() {
    return proposalsMax - jobFacts.open();
  }

  public SchedulerSettings settings() {
    return cluster.settings();
  }

  /** The policy that holds now. */
  public Policy policy() {
    return rearrangement.policy();
  }

  public LatestTime time() {
    return time;
  }

  public ResourceNames names() {
    return names;
  }

  public NodeTable nodes() {
    return nodes;
  }

  public Eligibility eligibility() {
    return eligibility;
  }

  public PreemptionBook preemption() {
    return preemption;
  }

  public AllocationBook holdings() {
    return holdings;
  }

  public PromiseBook promiseBook() {
    return promiseBook;
  }

  public ReasonBook reasons() {
    return reasons;
  }

  /** The order of the ready queue. */
  public SortKeys keys() {
    return keys;
  }

  /** Fair share: which entity each class of jobs counts for. */
  public ShareBook shares() {
    return shares;
  }

  /** Waiting jobs that were preempted. */
  public PreemptedJobs preempted() {
    return preempted;
  }

  public JobBook book() {
    return jobs;
  }

  public ClusterBook cluster() {
    return cluster;
  }

  public ReadyQueue ready() {
    return ready;
  }

  public PromiseChanges promiseFacts() {
    return promises;
  }

  public PreemptionClaims claims() {
    return claims;
  }

  public JobChanges jobFacts() {
    return jobFacts;
  }

  NodeChanges nodeFacts() {
    return nodeFacts;
  }

  public Rearrangement rearrangement() {
    return rearrangement;
  }

  /** The reservations, and which of them wait for a decision. */
  public ReservationBook reservations() {
    return reservations;
  }

  /** What a text says of nodes that reservations would take, if one was loaded. */
  public ReservableBook reservable() {
    return reservable;
  }

  public ReservationChanges reservationFacts() {
    return reservationFacts;
  }

  /** True for a partition that is in the care of this scheduler. */
  private boolean serves(String partition) {
    return cluster.serves(partition);
  }

  /** Pool from which the queue's jobs are served; null when it is not this scheduler's. */
  public Pool poolOf(QueueState queue) {
    return cluster.poolOf(queue);
  }

  /** True when the jobs of a queue are in the care of this scheduler. */
  public boolean serves(QueueState queue) {
    return cluster.serves(queue);
  }

  private void poolChanged(Pool pool) {
    rearrangement.poolChanged(pool);
  }

  private void rebound() {
    rearrangement.rebound();
  }

  private void found(QueueState queue) {
    reservationFacts.found(queue);
  }

  private void settingsChanged() {
    rearrangement.settingsChanged();
  }

  private void limitsChanged() {
    rearrangement.limitsChanged();
  }

  private void wake(ClassState owner) {
    ready.wake(owner);
  }

  private void retry(ClassState owner) {
    ready.retry(owner);
  }

  private void waiting(ClassState owner) {
    promises.waiting();
    ready.waiting(owner);
  }

  /**
   * The first job of a class has changed, so it may have passed the threshold of {@code
   * job_sort_formula_threshold}; then the class waits for another reason.
   */
  private void otherFirst(ClassState owner) {
    ready.stir();
    Shortage shortage = owner.shortage();
    boolean known = shortage != null && !owner.backingOff();
    if (known && keys.firstUnderThreshold(owner) != shortage.ofWorth()) {
      ready.retry(owner);
    }
  }
}
