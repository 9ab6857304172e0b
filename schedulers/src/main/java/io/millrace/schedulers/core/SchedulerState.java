package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement;
import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.reservations.resources.ReasonCode;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one scheduler knows of its shard. Changed by facts, by decisions put into effect and by the
 * answers to them; read by {@link Cycle}. Used by one thread.
 */
public final class SchedulerState {

  public static final String DEFAULT_SCHEDULER = "default";
  public static final String DEFAULT_PARTITION = "pbs-default";

  private final String scheduler;
  private final int shard;
  private final Policy policy;
  private final int proposalsMax;
  private final ResourceNames names = new ResourceNames();
  private final NodeTable nodes = new NodeTable(names, this::poolChanged);
  private final JobBook book;
  private final Map<String, QueueState> queues = new HashMap<>();
  private final Map<String, ClusterObject> resourceObjects = new TreeMap<>();
  private final HoldingBook holdings = new HoldingBook(nodes, names, this::retry);
  private final Map<String, ClassState> pausing = new HashMap<>();
  private final LinkedHashSet<ClassState> dirty = new LinkedHashSet<>();
  private final ReasonBook reasons = new ReasonBook();
  private Settings settings = Settings.absent();
  private int proposed;

  /**
   * @param scheduler name of the scheduler object
   * @param shard number of the shard whose facts are followed
   * @param proposalsMax most starts that may be proposed and not yet answered
   */
  public SchedulerState(String scheduler, int shard, Policy policy, int proposalsMax) {
    this.scheduler = scheduler;
    this.shard = shard;
    this.policy = policy;
    this.proposalsMax = proposalsMax;
    this.book = new JobBook(names, policy, this::waiting, this::drained);
  }

  public Settings settings() {
    return settings;
  }

  public ReasonBook reasons() {
    return reasons;
  }

  /** True when a cycle would consider anything. */
  public boolean workDue() {
    return !dirty.isEmpty() && room() > 0;
  }

  /** Jobs that have not finished. */
  public int jobCount() {
    return book.jobs().size();
  }

  /** A cluster object was written. */
  public void written(ClusterObject object) {
    switch (object.getKind()) {
      case SCHEDULER -> {
        if (object.getName().equals(scheduler)) {
          settings = Settings.of(object);
          retryAll();
        }
      }
      case QUEUE -> queue(object);
      case NODE -> {
        nodes.object(object.getName(), object);
        reopen(object.getName());
      }
      case RESOURCE -> {
        resourceObjects.put(object.getName(), object);
        nodes.resources(ResourceTable.of(resourceObjects.values()));
      }
      case SERVER, PARTITION -> {
        // Neither says anything about who runs where.
      }
    }
  }

  /** A cluster object was deleted. */
  public void deleted(ObjectKind kind, String name) {
    switch (kind) {
      case SCHEDULER -> {
        if (name.equals(scheduler)) {
          settings = Settings.absent();
          retryAll();
        }
      }
      case QUEUE -> {
        QueueState queue = queues.get(name);
        if (queue != null) {
          queue.started = false;
          queue.classes.forEach(this::retry);
        }
      }
      case NODE -> {
        NodeState node = nodes.get(name);
        nodes.object(name, null);
        if (node != null && node.holders == 0) {
          nodes.node(name, null);
        }
      }
      case RESOURCE -> {
        resourceObjects.remove(name);
        nodes.resources(ResourceTable.of(resourceObjects.values()));
      }
      case SERVER, PARTITION -> {
        // Neither says anything about who runs where.
      }
    }
  }

  /** A node of this shard, with what is held of it. */
  public void node(Node node) {
    nodes.node(node.getName(), node);
    NodeState state = nodes.get(node.getName());
    node.getHoldings().forEach(holding -> holdings.listed(state, holding));
  }

  /** An executor reported the node up, with what it measured. */
  public void nodeUp(String name, String host, Map<String, Long> measured) {
    NodeState known = nodes.get(name);
    Node.Builder node =
        known == null || known.node == null ? Node.newBuilder() : Node.newBuilder(known.node);
    if (!node.hasHoldings()) {
      node.setHoldings(List.of());
    }
    nodes.node(name, node.setName(name).setHost(host).setUp(true).setMeasured(measured).build());
  }

  /** The node is being offered to another shard, or (-1) stays. */
  public void nodeOffered(String name, int to) {
    NodeState known = nodes.get(name);
    if (known != null && known.node != null) {
      nodes.node(name, Node.newBuilder(known.node).setOfferedTo(to).build());
    }
  }

  /** The shard agreed to a change of the node, which is not used before the change is there. */
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
  public void nodeGone(String name) {
    nodes.node(name, null);
  }

  /** A job that was queued or accepted here, or is found in a snapshot. */
  public void job(Job job) {
    JobStatus status = job.getStatus();
    if (status == JobStatus.FINISHED) {
      return;
    }
    byte flags = 0;
    if (status == JobStatus.RUNNING || status == JobStatus.EXITING) {
      flags |= JobTable.RUNNING;
      holdings.sharing(
          job.getNumber(), Placement.of(job.getSpec().getRequest().getPlace()).sharing());
    }
    if (!job.getHolds().equals("n") || status == JobStatus.HELD) {
      flags |= JobTable.HELD;
    }
    if (job.getOfferedTo() >= 0 || status == JobStatus.TRANSIT) {
      flags |= JobTable.TRANSIT;
    }
    JobSpec spec = job.getSpec();
    JobBook.Order order = new JobBook.Order(spec.getPriority(), job.getRank());
    book.add(job.getNumber(), queueState(spec.getQueue()), order, spec.getRequest(), flags);
  }

  /** All holds of the job after a change. */
  public void holds(long number, String holds) {
    flag(number, JobTable.HELD, !holds.equals("n"));
  }

  /** The job is being offered to another shard, or stays. */
  public void transit(long number, boolean on) {
    flag(number, JobTable.TRANSIT, on);
  }

  public void altered(long number, JobSpec spec) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      JobBook.Order order = new JobBook.Order(spec.getPriority(), book.jobs().rank(slot));
      book.change(slot, queueState(spec.getQueue()), order, spec.getRequest());
    }
  }

  public void moved(long number, String queue, long rank) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      JobBook.Order order = new JobBook.Order(book.jobs().priority(slot), rank);
      book.change(slot, queueState(queue), order, book.classOf(slot).shape.request);
    }
  }

  /** The job ended or left; what it holds is free again. */
  public void gone(long number) {
    int slot = book.jobs().find(number);
    boolean awaited = slot != JobTable.NONE && book.jobs().has(slot, JobTable.PROPOSED);
    if (awaited) {
      proposed--;
    }
    if (slot != JobTable.NONE) {
      book.remove(slot);
    }
    holdings.release(number);
  }

  /** The shard granted a run, proposed from here or not. */
  public void granted(long number, Allocation allocation) {
    int slot = book.jobs().find(number);
    Sharing sharing = Sharing.SHARED;
    if (slot != JobTable.NONE) {
      sharing = book.classOf(slot).shape.placement.sharing();
      if (book.jobs().has(slot, JobTable.PROPOSED)) {
        proposed--;
      }
      // Running first, so that the job never counts as waiting in between.
      book.flag(slot, JobTable.RUNNING, true);
      book.flag(slot, JobTable.PROPOSED, false);
    }
    holdings.granted(number, allocation.getShares(), sharing);
  }

  /** The run ended and the job waits again. */
  public void requeued(long number) {
    holdings.release(number);
    flag(number, JobTable.RUNNING, false);
  }

  /** A proposal was rejected or expired: the job waits again and its nodes are free. */
  public void withdraw(long number) {
    int slot = book.jobs().find(number);
    if (slot == JobTable.NONE || !book.jobs().has(slot, JobTable.PROPOSED)) {
      return;
    }
    proposed--;
    holdings.release(number);
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
    pausing.put(owner.key, owner);
    if (owner.waiting.size() > 0) {
      reasons.note(owner.key, owner.shortage, nowMs);
    }
    return owner.key;
  }

  /** Ends the pause of a class. */
  public void endBackOff(String classKey) {
    ClassState owner = pausing.remove(classKey);
    if (owner != null) {
      owner.backingOff = false;
      retry(owner);
    }
  }

  /** Has every class that waits considered again. */
  public void retryAll() {
    for (QueueState queue : queues.values()) {
      queue.classes.forEach(this::retry);
    }
  }

  /** Puts decisions of a cycle over this state into effect: proposed starts hold their nodes. */
  public void apply(Decisions decisions) {
    for (Start start : decisions.starts()) {
      int slot = book.jobs().find(start.jobNumber());
      book.flag(slot, JobTable.PROPOSED, true);
      proposed++;
      holdings.hold(start.jobNumber(), start.held());
    }
    long nowMs = decisions.at().toEpochMilli();
    for (Decisions.Left left : decisions.left()) {
      ClassState owner = left.owner();
      reasons.note(owner.key, left.shortage(), nowMs);
      if (left.shortage().code() == ReasonCode.WORK_LIMIT) {
        continue;
      }
      clean(owner);
      owner.shortage = left.shortage();
      Pool pool = poolOf(owner.queue);
      if (pool != null) {
        pool.watch(owner, left.shortage().watch());
      }
    }
  }

  /** Number of starts that are proposed and not yet answered. */
  public int proposalsOpen() {
    return proposed;
  }

  String scheduler() {
    return scheduler;
  }

  Policy policy() {
    return policy;
  }

  ResourceNames names() {
    return names;
  }

  NodeTable nodes() {
    return nodes;
  }

  JobTable jobs() {
    return book.jobs();
  }

  LinkedHashSet<ClassState> dirty() {
    return dirty;
  }

  int room() {
    return proposalsMax - proposed;
  }

  /** Pool from which the queue's jobs are served; null when it is not this scheduler's. */
  Pool poolOf(QueueState queue) {
    return settings.partitions().contains(queue.partition) ? nodes.pool(queue.partition) : null;
  }

  List<NodeShare> shares(Held of) {
    return holdings.shares(of);
  }

  private void flag(long number, byte flag, boolean on) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      book.flag(slot, flag, on);
    }
  }

  private QueueState queueState(String name) {
    return queues.computeIfAbsent(name, QueueState::new);
  }

  private void queue(ClusterObject object) {
    QueueState queue = queueState(object.getName());
    String partition = ObjectAttributes.text(object, "partition", "");
    boolean route = ObjectAttributes.text(object, "queue_type", "e").matches("[rR].*");
    queue.partition = partition.isEmpty() ? DEFAULT_PARTITION : partition;
    queue.started =
        !route && ObjectAttributes.text(object, "started", "False").equalsIgnoreCase("true");
    queue.classes.forEach(this::retry);
  }

  private void poolChanged(Pool pool) {
    for (QueueState queue : queues.values()) {
      if (queue.partition.equals(pool.partition)) {
        queue.classes.forEach(this::retry);
      }
    }
  }

  private void waiting(ClassState owner) {
    if (owner.shortage == null && !owner.dirty) {
      retry(owner);
    }
  }

  private void drained(ClassState owner) {
    clean(owner);
    owner.shortage = null;
    reasons.clear(owner.key);
  }

  private void retry(ClassState owner) {
    if (owner.backingOff || owner.waiting.size() == 0) {
      return;
    }
    clean(owner);
    owner.shortage = null;
    if (settings.partitions().contains(owner.queue.partition)) {
      owner.dirty = true;
      dirty.add(owner);
    } else {
      reasons.clear(owner.key);
    }
  }

  private void clean(ClassState owner) {
    if (owner.dirty) {
      owner.dirty = false;
      dirty.remove(owner);
    }
    if (owner.watchedIn != null) {
      owner.watchedIn.remove(owner);
    }
  }
}
