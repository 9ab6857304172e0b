package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.LimitRules;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** A queue; known from its object, or from a job in it before the object was read. */
public final class QueueState {

  /** Of a queue that is not that of a reservation to come. */
  public static final long NOT_AHEAD = -1;

  private final String name;
  private long aheadMs = NOT_AHEAD;
  private String partition = DefaultNames.PARTITION;
  private boolean started;
  private LimitRules limits = LimitRules.NONE;
  private long priority;
  private long created;
  private int placeByPriority;
  private int placeByCreation;
  private int backfillDepth = -1;
  private List<String> setKeys = List.of();
  private PlacementRule sets = PlacementRule.NONE;
  private long served;
  private Pool pool;
  private long poolAt;

  /** Classes of its jobs; each stores its position in this array. */
  private ClassState[] classes = new ClassState[4];

  private int size;

  public QueueState(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  public String partition() {
    return partition;
  }

  /** True when the queue's object exists, it is started, and it is an execution queue. */
  public boolean started() {
    return started;
  }

  /** When the reservation begins whose queue it is; {@link #NOT_AHEAD} for all other queues. */
  public long aheadMs() {
    return aheadMs;
  }

  public void ahead(long beginsMs) {
    aheadMs = beginsMs;
  }

  /** True when there are no jobs in it. */
  public boolean isEmpty() {
    return size == 0;
  }

  public LimitRules limits() {
    return limits;
  }

  /**
   * The queue's attribute Priority: its jobs are ordered by it, and from a threshold on the queue
   * is an express queue.
   */
  public long priority() {
    return priority;
  }

  /** Assigns the queue to a partition. */
  public void belongs(String toPartition) {
    partition = toPartition;
  }

  /** Sets whether the queue is started. */
  public void starts(boolean on) {
    started = on;
  }

  public void limited(LimitRules by) {
    limits = by;
  }

  public void prioritised(long nowPriority) {
    priority = nowPriority;
  }

  /** Number of the change that created the queue: a later one has a larger number. */
  public long created() {
    return created;
  }

  public void createdBy(long change) {
    created = change;
  }

  /** Its place among all queues by {@link KeyOrder#inServer}. */
  int placeByPriority() {
    return placeByPriority;
  }

  void placedByPriority(int place) {
    placeByPriority = place;
  }

  /** Its place among all queues by {@link KeyOrder#createdBefore}. */
  int placeByCreation() {
    return placeByCreation;
  }

  void placedByCreation(int place) {
    placeByCreation = place;
  }

  /** Number of the last start of one of its jobs, where queues take turns; 0 before the first. */
  long served() {
    return served;
  }

  void servedBy(long start) {
    served = start;
  }

  /** How many of its jobs get promises of their own; -1 when those of the scheduler count. */
  public int backfillDepth() {
    return backfillDepth;
  }

  public void backfills(int depth) {
    backfillDepth = depth;
  }

  /** Keys of the queue's own placement sets; empty when those of the server count. */
  public void grouped(List<String> keys) {
    setKeys = keys;
  }

  /** The placement sets for its jobs: those of its own keys, else the server's. */
  PlacementRule sets() {
    return sets;
  }

  /**
   * Sets what holds for the jobs of queues without keys.
   *
   * @return true when another rule holds for the jobs of this one than before
   */
  public boolean groupedBy(PlacementRule rule) {
    PlacementRule now = rule.ofQueue(setKeys);
    boolean other = !now.equals(sets);
    sets = now;
    if (other) {
      eachClass(ClassState::regrouped);
    }
    return other;
  }

  /** Pool that served the queue when it was last looked up; null for none. */
  public Pool pool() {
    return pool;
  }

  /** True when {@link #pool} was looked up in the state of this version number. */
  public boolean poolFoundAt(long at) {
    return poolAt == at;
  }

  public void servedBy(Pool now, long at) {
    pool = now;
    poolAt = at;
  }

  void add(ClassState owner) {
    if (size == classes.length) {
      classes = Arrays.copyOf(classes, 2 * size);
    }
    owner.queuedAt(size);
    classes[size++] = owner;
  }

  void remove(ClassState owner) {
    size--;
    ClassState last = classes[size];
    classes[owner.queueIndex()] = last;
    last.queuedAt(owner.queueIndex());
    classes[size] = null;
  }

  public void eachClass(Consumer<ClassState> visitor) {
    for (int i = 0; i < size; i++) {
      visitor.accept(classes[i]);
    }
  }
}
