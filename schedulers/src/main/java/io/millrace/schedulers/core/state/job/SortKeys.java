package io.millrace.schedulers.core.state.job;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.model.WaitedTime;
import io.millrace.schedulers.core.policy.JobOrder;
import io.millrace.schedulers.core.policy.JobSequence;
import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The order of the ready queue by one sort key, then by rank. The key comes from the policy, or
 * from {@code job_sort_formula} instead. It depends only on the job's class and priority, so it is
 * computed when the first job of a class changes and not in each cycle.
 *
 * <p>A policy with a {@link JobSequence} orders by several keys, which are compared one by one.
 */
public final class SortKeys implements ReadyOrder {

  /** PBS evaluates sizes in kb. */
  private static final double BYTES = 1 << 10;

  private static final double MICROS = 1e6;

  /** Bits of a double's fraction that the key drops: 35 of 52 are kept. */
  private static final int DROPPED = 17;

  private final ResourceNames names;
  private final JobSlots jobs;
  private JobOrder order;
  private SortFormula formula;

  /** Sort key and rank of each class's first waiting job, side by side. */
  private long[] firsts = new long[64];

  private WaitedTime waited = WaitedTime.NONE;

  /** The moment by which jobs that differ by time stand in their order. */
  private long orderedMs;

  private double threshold = Double.NEGATIVE_INFINITY;
  private ResourceTable resources = ResourceTable.standard();

  /** Resources that the formula reads, and the divisors of their units. */
  private int[] numbers = {};

  private double[] units = {};

  /** True when the formula reads the job's priority, so that jobs of one class differ in value. */
  private boolean prioritiesCount;

  /** True when it reads for how long the job has waited, which differs too. */
  private boolean timesCount;

  private static final int OF_QUEUE = -1;
  private static final int OF_JOB = -2;
  private static final int TIME = -3;
  private static final int CHUNKS = -4;
  private static final int PERCENTAGE = -5;
  private static final int TREE_USAGE = -6;
  private static final int FACTOR = -7;
  private static final int ELIGIBLE_TIME = -8;
  private static final int ACCRUE_TYPE = -9;

  /** PBS's number for a job that waits for resources. */
  private static final double ELIGIBLE = 2;

  private final ShareBook shares;
  private final KeyOrder keyed;

  /** True when the policy orders by the keys of {@link #keyed} and not by one number. */
  private boolean severalKeys;

  /** Number of the last start that was counted for its queue's turn. */
  private long starts;

  /** The tree of shares by which classes were sorted last, and its version then. */
  private ShareTree sortedBy;

  private long sortedAt;

  /**
   * @param order the policy's, until another is set
   * @param preempted jobs that come first in their level, where a policy has several keys
   */
  public SortKeys(
      ResourceNames names,
      JobSlots jobs,
      JobOrder order,
      ShareBook shares,
      PreemptedJobs preempted) {
    this.names = names;
    this.jobs = jobs;
    this.order = order;
    this.shares = shares;
    this.keyed = new KeyOrder(names, jobs, shares, preempted, this);
  }

  /** The keys of the policy; null when it orders by one number. */
  public JobSequence sequence() {
    return keyed.sequence();
  }

  /**
   * Sets the keys of the policy; null for a policy that orders by one number.
   *
   * @return true when they are others than before
   */
  public boolean sequence(JobSequence other) {
    boolean changed = !Objects.equals(other, keyed.sequence());
    keyed.set(other);
    severalKeys = other != null;
    return changed;
  }

  /** Has the queues know their places among all; {@link #place} asks for them. */
  public void placeQueues(Collection<QueueState> all) {
    keyed.placeQueues(all);
  }

  /** What decides about a job by the keys of the policy but for fair share and its rank. */
  public double[] place(ClassState owner, int slot) {
    return keyed.place(owner, slot);
  }

  /**
   * Compares two jobs by the keys of the policy; below 0 when the first comes first.
   *
   * @param place of the job, as {@link #place} said
   * @param standing of its entity, as {@link #standing} said
   */
  public int compare(
      double[] place, double[] standing, int slot, double[] other, double[] its, int otherSlot) {
    return keyed.compare(place, standing, slot, other, its, otherSlot);
  }

  /** Standing of the entity of a class in this cycle; null where fair share does not decide. */
  public double[] standing(ClassState owner) {
    return keyed.sequence().byShares() ? ShareTree.standing(shares.of(owner)) : null;
  }

  /** Brings an array that {@link #standing} gave up to date. */
  public void renew(ClassState owner, double[] standing) {
    ShareTree.standing(shares.of(owner), standing);
  }

  /** True when {@link #standing} would still be this one. */
  public boolean stands(ClassState owner, double[] standing) {
    return standing == null || ShareTree.stands(shares.of(owner), standing);
  }

  /** True when what was started in this cycle moves the jobs of a class back. */
  public boolean startedInCycle(ClassState owner) {
    return keyed.sequence().byShares() && ShareTree.startedInCycle(shares.of(owner));
  }

  /**
   * True when entities stand otherwise than when this was asked last, so that classes have to be
   * sorted again.
   */
  public boolean sharesMoved() {
    ShareTree tree = shares.on() ? shares.shares().tree() : null;
    long changes = tree == null ? 0 : tree.changes();
    boolean moved = tree != sortedBy || changes != sortedAt;
    sortedBy = tree;
    sortedAt = changes;
    return moved;
  }

  /**
   * Queues in the order in which they take turns now: by Priority; or where the turn goes on from
   * cycle to cycle, those first of which no job has started for longest.
   */
  public Comparator<QueueState> queuesInTurn() {
    return keyed.sequence().roundRobin()
        ? KeyOrder::inServer
        : Comparator.comparingLong(QueueState::served).thenComparing(KeyOrder::createdBefore);
  }

  /** Whether the queues of two jobs take turns (0), or one of them has to wait. */
  public int compareTurns(
      ClassState a, double[] place, int slot, ClassState b, double[] its, int other) {
    return keyed.compareTurns(a, place, slot, b, its, other);
  }

  /** A job of a queue starts. */
  public void starts(QueueState queue) {
    queue.servedBy(++starts);
  }

  /** Sets who owns the job in a slot. */
  public void owners(IntFunction<JobOwner> ofSlot) {
    keyed.owners(ofSlot);
  }

  /**
   * Sets the level of jobs that nothing lifts or lowers.
   *
   * @return true when jobs may stand in another order for it
   */
  public boolean normalLevel(int level) {
    return keyed.normalLevel(level) && severalKeys;
  }

  @Override
  public boolean before(ClassState a, int slot, ClassState b, int other) {
    if (severalKeys) {
      return keyed.compare(a, slot, b, other) < 0;
    }
    if (a == b) {
      return beforeInClass(a, slot, other);
    }
    long key = isFirst(a, slot) ? firsts[2 * a.id()] : key(a, slot);
    long otherKey = isFirst(b, other) ? firsts[2 * b.id()] : key(b, other);
    return key != otherKey ? key < otherKey : jobs.rank(slot) < jobs.rank(other);
  }

  private boolean beforeInClass(ClassState owner, int slot, int other) {
    boolean otherPriority = jobs.priority(slot) != jobs.priority(other);
    if (otherPriority && (formula == null || prioritiesCount) || timesCount) {
      // The cached key of the first job may be out of date while the order is being changed.
      long key = key(owner, slot);
      long otherKey = key(owner, other);
      if (key != otherKey) {
        return key < otherKey;
      }
    }
    return jobs.rank(slot) < jobs.rank(other);
  }

  private static boolean isFirst(ClassState owner, int slot) {
    return owner.waiting().size() > 0 && owner.waiting().first() == slot;
  }

  @Override
  public boolean firstBefore(ClassState a, ClassState b) {
    if (severalKeys) {
      return keyed.compare(a, a.waiting().first(), b, b.waiting().first()) < 0;
    }
    int at = 2 * a.id();
    int other = 2 * b.id();
    return firsts[at] != firsts[other]
        ? firsts[at] < firsts[other]
        : firsts[at + 1] < firsts[other + 1];
  }

  @Override
  public void firstChanged(ClassState owner) {
    if (severalKeys) {
      return;
    }
    int at = 2 * owner.id();
    if (at + 1 >= firsts.length) {
      firsts = Arrays.copyOf(firsts, Math.max(at + 2, firsts.length + (firsts.length >> 1)));
    }
    int first = owner.waiting().first();
    firsts[at] = key(owner, first);
    firsts[at + 1] = jobs.rank(first);
  }

  /** Sets policy and formula; false when nothing has changed. */
  public boolean set(JobOrder newOrder, Optional<SchedulerSettings.FormulaValue> worth) {
    SortFormula wanted = worth.map(SchedulerSettings.FormulaValue::formula).orElse(null);
    threshold =
        worth.map(SchedulerSettings.FormulaValue::threshold).orElse(Double.NEGATIVE_INFINITY);
    boolean same = newOrder == order && Objects.equals(wanted, formula);
    if (!same) {
      order = newOrder;
      formula = wanted;
      resolve();
    }
    return !same;
  }

  /** Takes resource definitions, since custom resources may have changed their types. */
  public void resources(ResourceTable table) {
    resources = table;
    resolve();
  }

  public boolean byFormula() {
    return formula != null;
  }

  private void resolve() {
    List<String> wanted = formula == null ? List.of() : formula.names();
    numbers = new int[wanted.size()];
    units = new double[wanted.size()];
    prioritiesCount = wanted.contains(SortFormula.JOB_PRIORITY);
    timesCount = wanted.contains("eligible_time");
    for (int i = 0; i < numbers.length; i++) {
      String name = wanted.get(i);
      numbers[i] = number(name);
      units[i] = unit(resources, name);
    }
  }

  private int number(String name) {
    return switch (name) {
      case SortFormula.QUEUE_PRIORITY -> OF_QUEUE;
      case SortFormula.JOB_PRIORITY -> OF_JOB;
      case "walltime" -> TIME;
      case "nodect", "nchunk" -> CHUNKS;
      case "fairshare_perc", "fair_share_perc" -> PERCENTAGE;
      case "fairshare_tree_usage" -> TREE_USAGE;
      case "fairshare_factor" -> FACTOR;
      case "eligible_time" -> ELIGIBLE_TIME;
      case "accrue_type" -> ACCRUE_TYPE;
      default -> names.number(name);
    };
  }

  /** What an amount of a resource is divided by before a formula sees it. */
  static double unit(ResourceTable resources, String name) {
    return unit(resources.find(name).map(ResourceDefinition::kind).orElse(ResourceKind.LONG));
  }

  private static double unit(ResourceKind kind) {
    return switch (kind) {
      case SIZE -> BYTES;
      case FLOAT -> MICROS;
      default -> 1;
    };
  }

  /** Sort key of a job; smaller ones come first. */
  private long key(ClassState owner, int slot) {
    if (formula == null) {
      return Levels.key(owner, order, jobs.priority(slot));
    }
    return Levels.key(owner, -sortable(valueOf(owner, slot)));
  }

  /** Whether the first waiting job of a class is below {@code job_sort_formula_threshold}. */
  public boolean firstUnderThreshold(ClassState owner) {
    return under(owner, owner.waiting().first());
  }

  /**
   * The shortage of a job whose formula value is below the threshold; null when it is not. Later
   * jobs of its class have no higher value.
   */
  public Shortage underThreshold(ClassState owner, int slot) {
    return under(owner, slot)
        ? Shortage.untilChange(
            ReasonCode.UNDER_THRESHOLD,
            BigDecimal.valueOf(threshold).stripTrailingZeros().toPlainString())
        : null;
  }

  private boolean under(ClassState owner, int slot) {
    return threshold != Double.NEGATIVE_INFINITY && valueOf(owner, slot) <= threshold;
  }

  /** Who knows how long jobs have waited for resources. */
  public WaitedTime waited() {
    return waited;
  }

  /** Sets who knows how long jobs have waited for resources. */
  public void waited(WaitedTime other) {
    waited = other;
  }

  /** Jobs that differ by time are to stand in the order of this moment. */
  public void orderedAt(long atMs) {
    orderedMs = atMs;
  }

  /** True when the formula's values change with time alone, or with what entities use. */
  public boolean changesWithTime() {
    return reads(PERCENTAGE, TREE_USAGE, FACTOR, ELIGIBLE_TIME);
  }

  /** True when the formula's values change while jobs wait. */
  public boolean changesWithWaiting() {
    return timesCount;
  }

  /** True when the jobs of a class may change places when entities do. */
  public boolean sharesOrderJobs() {
    return prioritiesCount && reads(PERCENTAGE, TREE_USAGE, FACTOR);
  }

  private boolean reads(int... any) {
    return formula != null
        && Arrays.stream(numbers).anyMatch(it -> Arrays.stream(any).anyMatch(one -> one == it));
  }

  /** Value of the formula for a job. */
  double valueOf(ClassState owner, int slot) {
    double[] values = new double[numbers.length];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (numbers[i]) {
            case OF_QUEUE -> owner.queue().priority();
            case OF_JOB -> jobs.priority(slot);
            case TIME -> seconds(owner.shape().walltimeMs());
            case CHUNKS -> owner.shape().chunks();
            case PERCENTAGE -> shares.on() ? shares.of(owner).percentage() : 0;
            case TREE_USAGE -> shares.on() ? shares.of(owner).treeUsage() : 0;
            case ELIGIBLE_TIME -> waited.seconds(jobs.number(slot), orderedMs);
            case ACCRUE_TYPE -> ELIGIBLE;
            case FACTOR -> shares.on() ? ShareTree.factor(shares.of(owner)) : 0;
            default -> owner.shape().total(numbers[i]) / units[i];
          };
    }
    return formula.value(values);
  }

  /** Walltime in seconds as the formula reads it: 0 for a job without one, as in PBS. */
  private static double seconds(long walltimeMs) {
    return walltimeMs == UsageProfile.FOREVER ? 0 : walltimeMs / 1000.0;
  }

  /** Integer that is larger for larger values; below 2^46 in amount. */
  private static long sortable(double value) {
    long bits = Double.doubleToLongBits(value + 0.0); // so that 0 has one form
    return (bits ^ bits >> 63 & Long.MAX_VALUE) >> DROPPED;
  }
}
