package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement;
import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.reservations.resources.ReasonCode;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * What one scheduler knows of its shard. Changed by facts, by {@link Cycle}, which takes hold of
 * what it decides, and by the answers to its proposals. Used by one thread.
 */
public final class SchedulerState implements ShardFollower {

  public static final String DEFAULT_SCHEDULER = "default";
  public static final String DEFAULT_PARTITION = "pbs-default";

  private final String scheduler;
  private final int shard;
  private final Policy standard;
  private final int proposalsMax;
  private final ResourceNames names = new ResourceNames();
  private final NodeTable nodes = new NodeTable(names, this::poolChanged);
  private final Eligibility eligibility = new Eligibility(nodes, names, this::serves, this::wake);
  private final PromiseBook promises = new PromiseBook(eligibility);
  private final HoldingBook holdings = new HoldingBook(nodes, names, promises);
  private final Map<String, ClassState> pausing = new HashMap<>();
  private final ClassSet dirty = new ClassSet();

  /** Blocked classes of jobs with several kinds of chunks. */
  private final Set<ClassState> severalKinds = new LinkedHashSet<>();

  private final FirstRelease firstRelease = new FirstRelease(holdings.releases());
  private final ReasonBook reasons = new ReasonBook(names, this::shortageEndMs);
  private final JobBook book;
  private final ClusterBook cluster;
  private final Workbench bench;
  private final List<Promise> adopted = new ArrayList<>();
  private Policy policy;
  private int proposed;

  /** Another number after each change of what serves which queue. */
  private long served = 1;

  /** True when something has happened that can change promises or their number. */
  private boolean promisesTouched;

  /**
   * @param scheduler name of the scheduler object
   * @param shard number of the shard whose facts are followed
   * @param policy what holds while the scheduler object names no policy
   * @param proposalsMax most starts that may be proposed and not yet answered
   */
  public SchedulerState(String scheduler, int shard, Policy policy, int proposalsMax) {
    this.scheduler = scheduler;
    this.shard = shard;
    this.standard = policy;
    this.policy = policy;
    this.proposalsMax = proposalsMax;
    this.book = new JobBook(names, eligibility, policy.order(), this::waiting, this::drained);
    this.cluster =
        new ClusterBook(scheduler, nodes, this::retry, this::settingsChanged, this::limitsChanged);
    this.bench = new Workbench(this);
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
    return (promisesTouched || !dirty.isEmpty() || nodesTouched()) && room() > 0;
  }

  private boolean nodesTouched() {
    for (Pool pool : nodes.pools()) {
      if (pool.hasTouched()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Wakes the classes of jobs with several kinds of chunks: first fit may find room for all of them
   * where one kind finds less, so that any change may be enough.
   */
  void wakeSeveralKinds() {
    if (!severalKinds.isEmpty()) {
      List.copyOf(severalKinds).forEach(this::wake);
    }
  }

  /** Wakes the classes for which what has become free since the last time may be enough. */
  void wake(BiPredicate<ClassState, List<NodeState>> enough) {
    for (Pool pool : nodes.pools()) {
      if (pool.hasTouched()) {
        pool.wake(enough, this::wake);
      }
    }
  }

  /** The same at a time, when a promised start may have become due. */
  public boolean workDue(long nowMs) {
    return workDue() || promises.nextStartMs() <= nowMs && room() > 0;
  }

  /** Time at which the next promised start is due; {@link UsageProfile#NEVER} without promises. */
  public long nextPromiseMs() {
    return promises.nextStartMs();
  }

  /** All promises that are held, by start and job. */
  public List<Promise> promises() {
    List<Promise> all = new ArrayList<>(promises.all());
    all.addAll(adopted);
    all.sort(Comparator.comparingLong(Promise::fromMs).thenComparingLong(Promise::jobNumber));
    return all;
  }

  /**
   * Takes over a promise that another state of the same scheduler held, so that it is kept. One for
   * a job that does not wait here is passed over.
   */
  public void adopt(long number, long fromMs, List<NodeShare> shares) {
    int slot = book.jobs().find(number);
    if (slot == JobTable.NONE || !book.jobs().waiting(slot)) {
      return;
    }
    // On nodes of which one is lost it has no time any more, until its turn comes.
    boolean known = !shares.isEmpty() && shares.stream().allMatch(it -> knows(it.getNode()));
    Sharing sharing = book.classOf(slot).shape.placement.sharing();
    adopt(
        number, known ? fromMs : UsageProfile.NEVER, known ? holdings.held(shares, sharing) : null);
  }

  private void adopt(long number, long fromMs, Held held) {
    ClassState owner = book.classOf(book.jobs().find(number));
    Promise promise = new Promise(number, owner, held, fromMs, names);
    // Its left amounts are not known; the next cycle finds them before it relies on them.
    promise.suspect = true;
    adopted.add(promise);
    promisesTouched = true;
  }

  private boolean knows(String node) {
    return nodes.get(node) != null;
  }

  /** Jobs that have not finished. */
  public int jobCount() {
    return book.jobs().size();
  }

  /** A cluster object was written. */
  @Override
  public void written(ClusterObject object) {
    cluster.written(object);
    served++;
    if (object.getKind() == ObjectKind.NODE) {
      reopen(object.getName());
    } else if (object.getKind() == ObjectKind.QUEUE) {
      searchPromises();
    }
  }

  /** A cluster object was deleted. */
  @Override
  public void deleted(ObjectKind kind, String name) {
    cluster.deleted(kind, name);
    served++;
  }

  /** A node of this shard, with what is held of it. */
  @Override
  public void node(Node node) {
    nodes.node(node.getName(), node);
    NodeState state = nodes.get(node.getName());
    node.getHoldings().forEach(holding -> holdings.listed(state, holding));
  }

  /** An executor reported the node up, with what it measured. */
  @Override
  public void nodeUp(String name, String host, Map<String, Long> measured) {
    nodes.up(name, host, measured);
  }

  /** The node is being offered to another shard, or (-1) stays. */
  @Override
  public void nodeOffered(String name, int to) {
    NodeState known = nodes.get(name);
    if (known != null && known.node != null) {
      nodes.node(name, Node.newBuilder(known.node).setOfferedTo(to).build());
    }
  }

  /** The shard agreed to a change of the node, which is not used before the change is there. */
  @Override
  public void nodeClosing(String name) {
    nodeOffered(name, shard);
  }

  private void reopen(String name) {
    NodeState known = nodes.get(name);
    if (known != null && known.node != null && known.node.getOfferedTo() == shard) {
      nodeOffered(name, -1);
    }
  }

  /** The node belongs to another shard now. */
  @Override
  public void nodeGone(String name) {
    nodes.node(name, null);
  }

  /** A job that was queued or accepted here, or is found in a snapshot. */
  @Override
  public void job(Job job) {
    JobStatus status = job.getStatus();
    if (status == JobStatus.FINISHED) {
      return;
    }
    JobSpec spec = job.getSpec();
    byte flags = 0;
    if (status == JobStatus.RUNNING || status == JobStatus.EXITING) {
      flags |= JobTable.RUNNING;
      Sharing sharing = Placement.of(spec.getRequest().getPlace()).sharing();
      long begunMs = job.getStartedMs() >= 0 ? job.getStartedMs() : job.getModifiedMs();
      holdings.terms(job.getNumber(), sharing, endMs(begunMs, spec.getRequest().getWalltimeS()));
    }
    if (!job.getHolds().equals("n") || status == JobStatus.HELD) {
      flags |= JobTable.HELD;
    }
    if (job.getOfferedTo() >= 0 || status == JobStatus.TRANSIT) {
      flags |= JobTable.TRANSIT;
    }
    JobBook.Order order = new JobBook.Order(spec.getPriority(), job.getRank());
    JobBook.Wish wish = new JobBook.Recorded(spec.getRequest());
    forgetPromise(job.getNumber());
    Account account = Account.of(spec);
    book.add(job.getNumber(), cluster.queue(spec.getQueue()), order, wish, account, flags);
  }

  /**
   * A job that waits, in the internal form of a request.
   *
   * @param rank place in the order of submission; no two jobs have the same
   * @param request made by {@link #request}
   */
  public void job(long number, long rank, int priority, String queue, RequestShape request) {
    JobBook.Order order = new JobBook.Order(priority, rank);
    JobBook.Wish wish = new JobBook.Shaped(request);
    book.add(number, cluster.queue(queue), order, wish, Account.ANYBODY, (byte) 0);
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

  /** All holds of the job after a change. */
  @Override
  public void holds(long number, String holds) {
    flag(number, JobTable.HELD, !holds.equals("n"));
  }

  /** The job is being offered to another shard, or stays. */
  @Override
  public void transit(long number, boolean on) {
    flag(number, JobTable.TRANSIT, on);
  }

  @Override
  public void altered(long number, JobSpec spec) {
    int slot = book.jobs().find(number);
    if (slot == JobTable.NONE) {
      return;
    }
    long beforeMs = book.classOf(slot).shape.walltimeMs;
    JobBook.Order order = new JobBook.Order(spec.getPriority(), book.jobs().rank(slot));
    JobBook.Wish wish = new JobBook.Recorded(spec.getRequest());
    forgetPromise(number);
    book.change(slot, cluster.queue(spec.getQueue()), order, wish, Account.of(spec));
    long endMs = holdings.endMs(number);
    RequestShape shape = book.classOf(slot).shape;
    if (beforeMs != shape.walltimeMs && endMs != UsageProfile.FOREVER) {
      long newEndMs = UsageProfile.end(endMs - beforeMs, shape.walltimeMs);
      holdings.terms(number, shape.placement.sharing(), newEndMs);
    }
  }

  @Override
  public void moved(long number, String queue, long rank) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      forgetPromise(number);
      JobBook.Order order = new JobBook.Order(book.jobs().priority(slot), rank);
      JobBook.Wish wish = new JobBook.Recorded(book.classOf(slot).shape.record(names));
      book.change(slot, cluster.queue(queue), order, wish, book.account(slot));
    }
  }

  /** The job ended or left; what it holds is free again. */
  @Override
  public void gone(long number) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      if (book.jobs().has(slot, JobTable.PROPOSED)) {
        proposed--;
      }
      forgetPromise(number);
      book.remove(slot);
    }
    release(number);
  }

  /**
   * The shard granted a run, proposed from here or not.
   *
   * @param atMs when; from then the estimated runtime counts unless a proposal said before
   */
  @Override
  public void granted(long number, Allocation allocation, long atMs) {
    int slot = book.jobs().find(number);
    Sharing sharing = Sharing.SHARED;
    long endMs = UsageProfile.FOREVER;
    if (slot != JobTable.NONE) {
      RequestShape shape = book.classOf(slot).shape;
      sharing = shape.placement.sharing();
      endMs = UsageProfile.end(atMs, shape.walltimeMs);
      if (book.jobs().has(slot, JobTable.PROPOSED)) {
        proposed--;
      }
      forgetPromise(number);
      // Running first, so that the job never counts as waiting in between.
      book.flag(slot, JobTable.RUNNING, true);
      book.flag(slot, JobTable.PROPOSED, false);
    }
    promisesTouched |= promises.size() > 0;
    holdings.granted(number, allocation.getShares(), sharing, endMs);
  }

  /** A start that was decided here has happened: for those who need no grant. */
  public void started(long number) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE && book.jobs().has(slot, JobTable.PROPOSED)) {
      proposed--;
      book.flag(slot, JobTable.RUNNING, true);
      book.flag(slot, JobTable.PROPOSED, false);
    }
  }

  /** When a run will have ended by what another state of the same scheduler knew. */
  void expect(long number, long endMs) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      holdings.terms(number, book.classOf(slot).shape.placement.sharing(), endMs);
    }
  }

  /** The run ended and the job waits again. */
  @Override
  public void requeued(long number) {
    release(number);
    flag(number, JobTable.RUNNING, false);
  }

  /** A proposal was rejected or expired: the job waits again and its nodes are free. */
  @Override
  public void withdraw(long number) {
    int slot = book.jobs().find(number);
    if (slot == JobTable.NONE || !book.jobs().has(slot, JobTable.PROPOSED)) {
      return;
    }
    proposed--;
    release(number);
    book.flag(slot, JobTable.PROPOSED, false);
    retry(book.classOf(slot));
  }

  /**
   * Leaves the class of a job out of cycles until {@link #endBackOff}.
   *
   * @return canonical text of the class, or null when the job is not known
   */
  public String backOff(long number, String code, long nowMs) {
    int slot = book.jobs().find(number);
    if (slot == JobTable.NONE) {
      return null;
    }
    ClassState owner = book.classOf(slot);
    clean(owner);
    owner.backingOff = true;
    owner.shortage = Shortage.untilChange(ReasonCode.BACKING_OFF, code);
    String key = owner.key(names);
    pausing.put(key, owner);
    promisesTouched |= promises.size() > 0;
    long noticedMs = bench.notBefore(nowMs);
    if (owner.waiting.size() > 0) {
      reasons.note(owner, owner.shortage, noticedMs);
    }
    return key;
  }

  /** Ends the pause of a class. */
  public void endBackOff(String classKey) {
    ClassState owner = pausing.remove(classKey);
    if (owner != null) {
      owner.backingOff = false;
      retry(owner);
    }
  }

  /** Has every class that waits considered again, and every promise searched again. */
  public void retryAll() {
    cluster.eachClass(this::retry);
    searchPromises();
  }

  private void searchPromises() {
    promises.searchAll();
    promisesTouched |= promises.size() > 0;
  }

  /** Number of starts that are proposed and not yet answered. */
  public int proposalsOpen() {
    return proposed;
  }

  Workbench bench() {
    return bench;
  }

  String scheduler() {
    return scheduler;
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

  HoldingBook holdings() {
    return holdings;
  }

  PromiseBook promiseBook() {
    return promises;
  }

  ClassSet dirty() {
    return dirty;
  }

  int room() {
    return proposalsMax - proposed;
  }

  /** Pool from which the queue's jobs are served; null when it is not this scheduler's. */
  Pool poolOf(QueueState queue) {
    if (queue.poolAt != served) {
      queue.poolAt = served;
      queue.pool = serves(queue) ? nodes.pool(queue.partition) : null;
    }
    return queue.pool;
  }

  private long shortageEndMs(ClassState owner) {
    return firstRelease.endMs(owner, owner.noted, poolOf(owner.queue));
  }

  private boolean serves(QueueState queue) {
    return settings().partitions().contains(queue.partition);
  }

  Eligibility eligibility() {
    return eligibility;
  }

  /** A cycle starts a job, which holds its nodes from now on. */
  void proposed(int slot, Held held, long endMs) {
    proposed++;
    book.chosen(slot);
    holdings.hold(book.jobs().number(slot), held, endMs);
  }

  /** Takes a job that a cycle started out of those that wait. */
  void taken(int slot) {
    book.flag(slot, JobTable.PROPOSED, true);
  }

  /** A cycle has found that no job of the class can start. */
  void left(ClassState owner, Shortage shortage, long nowMs) {
    reasons.note(owner, shortage, nowMs);
    clean(owner);
    owner.shortage = shortage;
    Pool pool = poolOf(owner.queue);
    if (pool != null) {
      pool.watch(owner, shortage.watch());
    }
    if (shortage.limited()) {
      eligibility.await(owner);
    }
    if (owner.shape.kinds.length > 1 && shortage.watch().level() != Shortage.Level.CHANGE) {
      severalKinds.add(owner);
    }
  }

  boolean hasAdopted() {
    return !adopted.isEmpty();
  }

  /** Promises that were taken over since the last cycle; they are in no book yet. */
  List<Promise> takeAdopted() {
    List<Promise> taken = List.copyOf(adopted);
    adopted.clear();
    return taken;
  }

  /** A cycle has looked at all promises. */
  void promisesSettled(boolean anyWorthALook) {
    promisesTouched = anyWorthALook;
  }

  private void release(long number) {
    promisesTouched |= promises.size() > 0;
    holdings.release(number);
  }

  /** A job that waited does so no longer, or as another one. */
  private void forgetPromise(long number) {
    promisesTouched |= !policy.passes();
    adopted.removeIf(it -> it.jobNumber() == number);
    Promise promise = promises.of(number);
    if (promise != null) {
      promisesTouched = true;
      promises.remove(promise);
      lost(promise);
    }
  }

  /** A promise, no longer in the book, is lost: what it held is free for others. */
  void lost(Promise promise) {
    holdings.relaxed(promise);
    if (promise.dated()) {
      eligibility.unpromised(promise.owner);
    }
  }

  private void flag(long number, byte flag, boolean on) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      if (on) {
        forgetPromise(number);
      }
      book.flag(slot, flag, on);
    }
  }

  private void settingsChanged() {
    served++;
    limitsChanged();
    Policy chosen = settings().policy().orElse(standard);
    if (!chosen.equals(policy)) {
      policy = chosen;
      book.reorder(policy.order());
      // What they leave of their nodes depends on how the policy counts ends.
      promises.suspectAll();
    }
    nodes.rank(settings().nodeOrder().orElse(policy.nodeOrder()));
    retryAll();
  }

  /** Other limits hold, or limits hold for other jobs. */
  private void limitsChanged() {
    boolean before = eligibility.active();
    if (eligibility.reset(cluster.serverLimits(), cluster.queues())) {
      List<Promise> kept = promises();
      List.copyOf(promises.all()).forEach(promises::remove);
      adopted.clear();
      book.regroup(names);
      kept.forEach(it -> adopt(it.jobNumber(), it.fromMs(), it.held));
    }
    if (before || eligibility.active()) {
      book.recount();
      promises.recount();
      retryAll();
    }
  }

  private void poolChanged(Pool pool) {
    served++;
    cluster.eachClass(pool.partition, this::retry);
    promises.suspectAll();
    searchPromises();
  }

  private void waiting(ClassState owner) {
    promisesTouched |= policy.promiseDepth() > 0 || !policy.passes();
    if (owner.backingOff) {
      reasons.note(owner, owner.shortage, bench.latestMs());
    } else if (owner.shortage == null && !owner.dirty()) {
      retry(owner);
    }
  }

  private void drained(ClassState owner) {
    clean(owner);
    if (!owner.backingOff) {
      owner.shortage = null;
    }
    owner.knownRoom = ClassState.NO_KNOWLEDGE;
    reasons.clear(owner);
  }

  private void retry(ClassState owner) {
    owner.knownRoom = ClassState.NO_KNOWLEDGE;
    owner.ever = ClassState.Ever.UNKNOWN;
    if (!owner.backingOff) {
      owner.shortage = null;
      wake(owner);
    }
  }

  /** More is free that may be enough for the class. */
  private void wake(ClassState owner) {
    owner.knownRoom = ClassState.NO_KNOWLEDGE;
    if (owner.backingOff || owner.waiting.size() == 0) {
      return;
    }
    clean(owner);
    if (serves(owner.queue)) {
      dirty.add(owner);
    } else {
      owner.shortage = null;
      reasons.clear(owner);
    }
  }

  private void clean(ClassState owner) {
    if (owner.dirty()) {
      dirty.remove(owner);
    }
    if (owner.watchedIn != null) {
      owner.watchedIn.remove(owner);
    }
    eligibility.leave(owner);
    if (owner.shape.kinds.length > 1) {
      severalKinds.remove(owner);
    }
  }

  private static long endMs(long begunMs, long walltimeS) {
    return walltimeS < 0
        ? UsageProfile.FOREVER
        : UsageProfile.end(begunMs, RequestShape.milliseconds(walltimeS));
  }
}
