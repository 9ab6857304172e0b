package io.millrace.schedulers.core;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import java.util.List;
import java.util.Map;

/**
 * What one scheduler knows of its shard: the books, and who tells whom. Changed by facts, by {@link
 * Cycle}, which takes hold of what it decides, and by the answers to its proposals. Used by one
 * thread.
 */
public final class SchedulerState implements ShardFollower {

  public static final String DEFAULT_SCHEDULER = "default";
  public static final String DEFAULT_PARTITION = "pbs-default";

  private final String scheduler;
  private final Policy standard;
  private final int proposalsMax;
  private final LatestTime time = new LatestTime();
  private final ResourceNames names = new ResourceNames();
  private final NodeTable nodes = new NodeTable(names, this::poolChanged, this::rebound);
  private final Eligibility eligibility = new Eligibility(nodes, names, this::serves, this::wake);
  private final PromiseBook promiseBook = new PromiseBook(eligibility);
  private final HoldingBook holdings = new HoldingBook(nodes, names, promiseBook);
  private final ReasonBook reasons = new ReasonBook(names, this::shortageEndMs);
  private final Places places;
  private final JobBook book;
  private final ClusterBook cluster;
  private final Agenda agenda;
  private final PromiseFacts promises;
  private final JobFacts jobs;
  private final NodeFacts nodeFacts;
  private final Workbench bench;
  private final ShortageEnds shortageEnds;
  private Policy policy;

  /**
   * @param scheduler name of the scheduler object
   * @param shard number of the shard whose facts are followed
   * @param policy what holds while the scheduler object names no policy
   * @param proposalsMax most starts that may be proposed and not yet answered
   */
  public SchedulerState(String scheduler, int shard, Policy policy, int proposalsMax) {
    this.scheduler = scheduler;
    this.standard = policy;
    this.policy = policy;
    this.proposalsMax = proposalsMax;
    this.cluster =
        new ClusterBook(scheduler, nodes, this::retry, this::settingsChanged, this::limitsChanged);
    this.agenda = new Agenda(nodes, cluster, eligibility, reasons, names, time);
    this.places = new Places(names, policy.order());
    this.book =
        new JobBook(
            names,
            eligibility,
            agenda.preemption()::level,
            places,
            this::waiting,
            agenda::drained,
            this::retry);
    this.promises = new PromiseFacts(promiseBook, book, holdings, eligibility, names, this::policy);
    this.jobs = new JobFacts(book, cluster, holdings, promises, agenda, names);
    this.nodeFacts = new NodeFacts(nodes, holdings, shard);
    this.bench = new Workbench(this);
    this.shortageEnds = new ShortageEnds(this);
  }

  public Settings settings() {
    return cluster.settings();
  }

  /** The policy that holds now. */
  public Policy policy() {
    return policy;
  }

  public ReasonBook reasons() {
    return reasons;
  }

  /** True when a cycle would consider anything. */
  public boolean workDue() {
    return (promises.touched() || agenda.isDue()) && room() > 0;
  }

  /** The same at a time, when a promised start may have become due. */
  public boolean workDue(long nowMs) {
    return workDue() || nextPromiseMs() <= nowMs && room() > 0;
  }

  /**
   * Time at which the next promised start is due, or a stopped job should be gone; {@link
   * UsageProfile#NEVER} when there is no such thing.
   */
  public long nextPromiseMs() {
    return Math.min(promiseBook.nextStartMs(), preemption().expiryMs());
  }

  /** All promises that are held, by start and job. */
  public List<Promise> promises() {
    return promises.all();
  }

  /**
   * Takes over a promise that another state of the same scheduler held, so that it is kept. One for
   * a job that does not wait here is passed over.
   */
  public void adopt(long number, long fromMs, List<NodeShare> shares) {
    promises.adopt(number, fromMs, shares);
  }

  /** Jobs that have not finished. */
  public int jobCount() {
    return book.jobs().size();
  }

  @Override
  public void written(ClusterObject object) {
    QueueState queue =
        object.getKind() == ObjectKind.QUEUE ? cluster.queue(object.getName()) : null;
    long before = queue == null ? 0 : queue.priority;
    cluster.written(object);
    if (object.getKind() == ObjectKind.RESOURCE) {
      resourcesChanged();
    }
    if (queue != null && queue.priority != before) {
      reorder(queue);
    }
    if (object.getKind() == ObjectKind.NODE) {
      nodeFacts.reopen(object.getName());
    } else if (object.getKind() == ObjectKind.QUEUE) {
      promises.searchAll();
    }
    relevel();
  }

  @Override
  public void deleted(ObjectKind kind, String name) {
    if (kind == ObjectKind.NODE) {
      // Before it is forgotten, which it is only when nobody holds any of it.
      claims().lost(name);
    }
    cluster.deleted(kind, name);
    if (kind == ObjectKind.RESOURCE) {
      resourcesChanged();
    }
    relevel();
  }

  @Override
  public void node(Node node) {
    nodeFacts.node(node);
  }

  @Override
  public void nodeUp(String name, String host, Map<String, Long> measured) {
    nodeFacts.up(name, host, measured);
  }

  @Override
  public void nodeDown(String name) {
    nodeFacts.down(name);
  }

  @Override
  public void nodeOffered(String name, int to) {
    nodeFacts.offered(name, to);
  }

  @Override
  public void nodeClosing(String name) {
    nodeFacts.closing(name);
  }

  @Override
  public void nodeGone(String name) {
    claims().lost(name);
    nodeFacts.gone(name);
  }

  @Override
  public void job(Job job) {
    jobs.job(job);
  }

  /**
   * A job that waits, in the internal form of a request.
   *
   * @param rank place in the order of submission; no two jobs have the same
   * @param request made by {@link #request}
   */
  public void job(long number, long rank, int priority, String queue, RequestShape request) {
    jobs.job(number, rank, priority, queue, request);
  }

  /**
   * A request of chunks of one resource.
   *
   * @param amount of the resource in each chunk
   * @param walltimeMs estimated runtime; {@link UsageProfile#FOREVER} for none
   */
  public RequestShape request(int chunks, String resource, long amount, long walltimeMs) {
    return new RequestShape(chunks, names.number(resource), amount, walltimeMs);
  }

  @Override
  public void holds(long number, String holds) {
    jobs.holds(number, holds);
  }

  @Override
  public void transit(long number, boolean on) {
    jobs.transit(number, on);
  }

  @Override
  public void altered(long number, JobSpec spec) {
    jobs.altered(number, spec);
  }

  @Override
  public void moved(long number, String queue, long rank) {
    jobs.moved(number, queue, rank);
  }

  @Override
  public void gone(long number) {
    jobs.gone(number);
  }

  /**
   * The shard granted a run, proposed from here or not.
   *
   * @param atMs when; from then the estimated runtime counts unless a proposal said before
   */
  @Override
  public void granted(long number, Allocation allocation, long atMs) {
    jobs.granted(number, allocation, atMs);
  }

  /** A start that was decided here has happened: for those who need no grant. */
  public void started(long number) {
    jobs.started(number);
  }

  /** When a run will have ended by what another state of the same scheduler knew. */
  void expect(long number, long endMs) {
    jobs.expect(number, endMs);
  }

  @Override
  public void requeued(long number) {
    jobs.requeued(number);
  }

  @Override
  public void suspended(long number, RunSuspended fact) {
    jobs.suspended(number, fact);
  }

  @Override
  public void resumable(long number) {
    jobs.resumable(number);
  }

  @Override
  public void resumed(long number, long atMs) {
    jobs.resumed(number, atMs);
  }

  @Override
  public void ending(long number, long atMs) {
    jobs.ending(number, atMs);
  }

  /** Number of the run that a job's start goes on with; 0 for a job that starts anew. */
  public int suspendedRun(long number) {
    return jobs.suspendedRun(number);
  }

  @Override
  public void withdraw(long number) {
    jobs.withdraw(number);
  }

  /** Takes over a claim that another state of the same scheduler held. */
  void adopt(Claim claim, List<NodeShare> shares) {
    claims().adopt(claim, shares);
  }

  /**
   * The shard did not stop a job.
   *
   * @return the jobs that do not start for that reason
   */
  public List<Long> notStopped(long number) {
    return claims().notStopped(number);
  }

  /**
   * Leaves the class of a job out of cycles until {@link #endBackOff}.
   *
   * @return canonical text of the class, or null when the job is not known
   */
  public String backOff(long number, String code, long nowMs) {
    return jobs.backOff(number, code, nowMs);
  }

  /** Ends the pause of a class. */
  public void endBackOff(String classKey) {
    agenda.endBackOff(classKey);
  }

  /** Has every class that waits considered again, and every promise searched again. */
  public void retryAll() {
    cluster.eachClass(agenda::retry);
    promises.searchAll();
  }

  /** What limits leave, for a dialect that decides by itself. */
  public LimitGate limits() {
    return new LimitGate(book, eligibility);
  }

  /** Number of starts that are proposed and not yet answered. */
  public int proposalsOpen() {
    return jobs.open();
  }

  Workbench bench() {
    return bench;
  }

  String scheduler() {
    return scheduler;
  }

  LatestTime time() {
    return time;
  }

  ResourceNames names() {
    return names;
  }

  NodeTable nodes() {
    return nodes;
  }

  JobBook book() {
    return book;
  }

  JobFacts jobFacts() {
    return jobs;
  }

  HoldingBook holdings() {
    return holdings;
  }

  PromiseBook promiseBook() {
    return promiseBook;
  }

  PromiseFacts promiseFacts() {
    return promises;
  }

  PreemptionBook preemption() {
    return agenda.preemption();
  }

  Claims claims() {
    return jobs.claims();
  }

  Agenda agenda() {
    return agenda;
  }

  Eligibility eligibility() {
    return eligibility;
  }

  int room() {
    return proposalsMax - jobs.open();
  }

  /** Pool from which the queue's jobs are served; null when it is not this scheduler's. */
  Pool poolOf(QueueState queue) {
    return cluster.poolOf(queue);
  }

  /** Why a queue of this scheduler has no node to run jobs on. */
  Shortage noNodes(QueueState queue) {
    return cluster.noNodes(queue);
  }

  private long shortageEndMs(ClassState owner) {
    return shortageEnds.endMs(owner);
  }

  /** True when the jobs of a queue are in the care of this scheduler. */
  boolean serves(QueueState queue) {
    return cluster.serves(queue);
  }

  private void settingsChanged() {
    limitsChanged();
    Policy chosen = settings().policy().orElse(standard);
    boolean other = !chosen.equals(policy);
    policy = chosen;
    if (places.set(policy.order(), settings().formula()) || other) {
      book.reorder();
      // What they leave of their nodes depends on how the policy counts ends.
      promises.suspectAll();
      promises.waiting();
    }
    nodes.rank(settings().nodeOrder().orElse(policy.nodeOrder()));
    retryAll();
  }

  /** Queues or settings are others, so that jobs may be in other levels. */
  private void relevel() {
    if (preemption().reset(settings().preemption(), cluster.queues())) {
      gradeAll();
    }
  }

  /** Finds the levels of jobs anew when others run than when they were found last. */
  void grade() {
    if (preemption().gradeDue()) {
      gradeAll();
    }
  }

  /** Jobs of a queue come earlier or later than before. */
  private void reorder(QueueState queue) {
    queue.eachClass(book::reorder);
    orderChanged();
  }

  /** A formula may read their amounts in other units. */
  private void resourcesChanged() {
    places.resources(cluster.resources());
    if (places.byFormula()) {
      book.reorder();
      orderChanged();
    }
  }

  private void orderChanged() {
    promises.suspectAll();
    promises.waiting();
    retryAll();
  }

  private void gradeAll() {
    preemption().grade();
    boolean[] any = {false};
    book.classes()
        .each(
            owner -> {
              int level = preemption().level(owner);
              if (level != owner.level) {
                book.relevel(owner, level);
                any[0] = true;
              }
            });
    if (any[0]) {
      orderChanged();
    }
  }

  /** Other limits hold, or limits hold for other jobs. */
  private void limitsChanged() {
    boolean before = eligibility.active();
    if (eligibility.reset(cluster.serverLimits(), cluster.queues())) {
      promises.over(() -> book.regroup(names));
    }
    if (before || eligibility.active()) {
      book.recount();
      promises.recount();
      retryAll();
    }
  }

  private void poolChanged(Pool pool) {
    cluster.servedAnew();
    cluster.eachClass(pool.key.partition(), agenda::retry);
    promises.suspectAll();
    promises.searchAll();
  }

  /** A queue is served from another pool, which need not have changed. */
  private void rebound() {
    cluster.servedAnew();
    retryAll();
  }

  private void waiting(ClassState owner) {
    promises.waiting();
    agenda.waiting(owner);
  }

  private void retry(ClassState owner) {
    agenda.retry(owner);
  }

  private void wake(ClassState owner) {
    agenda.wake(owner);
  }
}
