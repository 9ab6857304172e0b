package io.millrace.schedulers.core.state.job;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.policy.JobSequence;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.IntFunction;

/** The order of jobs by the keys of a {@link JobSequence}. */
final class KeyOrder {

  private static final int PRIORITY = -1;
  private static final int SHARES = -2;
  private static final int LEVEL = -3;
  private static final int TIME = -4;
  private static final int QUEUE_PRIORITY = -5;
  private static final int QUEUE_ORDER = -6;
  private static final int SUBMISSION = -7;
  private static final int CHUNKS = -8;
  private static final int LISTED = -9;

  // What a job's place begins with.
  private static final int QUEUE = 0;
  private static final int ITS_LEVEL = 1;
  private static final int PREEMPTED = 2;
  private static final int WORTH = 3;

  /** Numbers of a place that stand before fair share. */
  private static final int BEFORE_SHARES = 4;

  private final ResourceNames names;
  private final JobSlots jobs;
  private final ShareBook shares;
  private final PreemptedJobs preempted;
  private final SortKeys worth;
  private JobSequence sequence;
  private int[] numbers = {};

  /** Of which keys more comes first. */
  private boolean[] high = {};

  /** Lists of keys that have one. */
  private OwnerList[] lists = {};

  /** How many keys come before queues take turns. */
  private int turn;

  /** How many keys stand before the one that tells any two jobs apart; all without it. */
  private int telling;

  /** True when of jobs that are equal by all keys the last submitted comes first. */
  private boolean lastFirst;

  private IntFunction<JobOwner> owners = slot -> JobOwner.ANYBODY;
  private int normalLevel;

  KeyOrder(
      ResourceNames names,
      JobSlots jobs,
      ShareBook shares,
      PreemptedJobs preempted,
      SortKeys worth) {
    this.names = names;
    this.jobs = jobs;
    this.shares = shares;
    this.preempted = preempted;
    this.worth = worth;
  }

  JobSequence sequence() {
    return sequence;
  }

  /** Sets the sequence; null for none. */
  void set(JobSequence other) {
    sequence = other;
    List<JobSequence.JobOrderKey> keys = other == null ? List.of() : other.keys();
    numbers = keys.stream().mapToInt(key -> number(key.word())).toArray();
    lists = keys.stream().map(OwnerList::of).toArray(OwnerList[]::new);
    high = new boolean[numbers.length];
    for (int i = 0; i < high.length; i++) {
      high[i] = keys.get(i).high();
    }
    turn = other == null ? 0 : other.turn();
    telling = 0;
    while (telling < numbers.length && numbers[telling] != SUBMISSION) {
      telling++;
    }
    lastFirst = telling < numbers.length && keys.get(telling).high();
  }

  /** Has the queues know their places among all, as far as keys ask for them. */
  void placeQueues(Collection<QueueState> all) {
    boolean asked = sequence.roundRobin() || sequence.byQueue();
    for (int i = 0; i < telling; i++) {
      asked |= numbers[i] == QUEUE_ORDER;
    }
    if (!asked) {
      return;
    }
    QueueState[] queues = all.toArray(QueueState[]::new);
    Arrays.sort(queues, KeyOrder::createdBefore);
    for (int i = 0; i < queues.length; i++) {
      queues[i].placedByCreation(i);
    }
    Arrays.sort(queues, KeyOrder::inServer);
    for (int i = 0; i < queues.length; i++) {
      queues[i].placedByPriority(i);
    }
  }

  /**
   * What decides about a job but for fair share and its rank, once the queues were {@link
   * #placeQueues placed}: a job with a smaller number at the first difference comes first.
   */
  double[] place(ClassState owner, int slot) {
    double[] place = new double[BEFORE_SHARES + telling];
    if (sequence.roundRobin() || sequence.byQueue()) {
      boolean lifted = !sequence.roundRobin() && lifted(owner, slot);
      place[QUEUE] = lifted ? -1 : owner.queue().placeByPriority();
    }
    place[ITS_LEVEL] = owner.level();
    place[PREEMPTED] = preemptedCount() ? preempted.turn(jobs.number(slot)) : 0;
    place[WORTH] = worth.byFormula() ? -worth.valueOf(owner, slot) : 0;
    for (int i = 0; i < telling; i++) {
      double value =
          numbers[i] == QUEUE_ORDER ? owner.queue().placeByCreation() : value(i, owner, slot);
      place[BEFORE_SHARES + i] = high[i] ? -value : value;
    }
    return place;
  }

  /**
   * Below 0 when the first job comes first.
   *
   * @param place of the job, as {@link #place} said
   * @param standing of its entity; null without fair share
   */
  int compare(
      double[] place, double[] standing, int slot, double[] other, double[] its, int otherSlot) {
    int order = compare(place, other, 0, BEFORE_SHARES);
    if (order == 0 && standing != null) {
      order = ShareTree.compare(standing, its);
    }
    if (order == 0) {
      order = compare(place, other, BEFORE_SHARES, place.length);
    }
    if (order == 0) {
      order = compareRanks(slot, otherSlot);
    }
    return order;
  }

  private int compareRanks(int slot, int other) {
    int order = Long.compare(jobs.rank(slot), jobs.rank(other));
    return lastFirst ? -order : order;
  }

  private static int compare(double[] one, double[] other, int from, int to) {
    int order = 0;
    for (int i = from; i < to && order == 0; i++) {
      order = Double.compare(one[i], other[i]);
    }
    return order;
  }

  /** Sets who owns the job in a slot. */
  void owners(IntFunction<JobOwner> ofSlot) {
    owners = ofSlot;
  }

  /**
   * Sets the level of jobs that nothing lifts or lowers.
   *
   * @return true when it is another than before
   */
  boolean normalLevel(int level) {
    boolean changed = level != normalLevel;
    normalLevel = level;
    return changed;
  }

  private int number(String name) {
    return switch (name) {
      case JobSequence.JOB_PRIORITY -> PRIORITY;
      case JobSequence.SHARES -> SHARES;
      case JobSequence.LEVEL -> LEVEL;
      case "walltime" -> TIME;
      case JobSequence.QUEUE_PRIORITY -> QUEUE_PRIORITY;
      case JobSequence.QUEUE_ORDER, JobSequence.QUEUE_TURN -> QUEUE_ORDER;
      case JobSequence.SUBMISSION -> SUBMISSION;
      case JobSequence.CHUNKS -> CHUNKS;
      case JobSequence.USER, JobSequence.GROUP, JobSequence.HOST -> LISTED;
      default -> names.number(name);
    };
  }

  /** Below 0 when the job of the first class came first as the cycle began. */
  int compare(ClassState a, int slot, ClassState b, int other) {
    int order = compareQueues(a, slot, b, other);
    if (order == 0) {
      order = compareLevels(a, slot, b, other);
    }
    if (order == 0 && sequence.byShares()) {
      order = shares.compare(a, b);
    }
    if (order == 0) {
      order = compareKeys(a, slot, b, other);
    }
    return order == 0 ? Long.compare(jobs.rank(slot), jobs.rank(other)) : order;
  }

  /**
   * Below 0 when the turn of the first job's queue has to wait for all jobs that are as the other
   * one, 0 when their queues take turns.
   *
   * @param place of the first job, as {@link #place} said
   */
  int compareTurns(ClassState a, double[] place, int slot, ClassState b, double[] its, int other) {
    if (sequence.roundRobin()) {
      return Long.compare(b.queue().priority(), a.queue().priority());
    }
    int order = compare(place, its, ITS_LEVEL, BEFORE_SHARES + Math.min(turn, telling));
    return order == 0 && turn > telling ? compareRanks(slot, other) : order;
  }

  private int compareQueues(ClassState a, int slot, ClassState b, int other) {
    if (sequence.roundRobin()) {
      return a.queue() == b.queue() ? 0 : inServer(a.queue(), b.queue());
    }
    if (!sequence.byQueue() || a.queue() == b.queue()) {
      return 0;
    }
    boolean lifted = lifted(a, slot);
    if (lifted != lifted(b, other)) {
      return lifted ? -1 : 1;
    }
    return lifted ? 0 : inServer(a.queue(), b.queue());
  }

  private boolean preemptedCount() {
    return sequence.preemptedFirst() && !preempted.isEmpty();
  }

  /** True for a job that comes before those of all queues. */
  private boolean lifted(ClassState owner, int slot) {
    return owner.level() < normalLevel
        || preemptedCount() && preempted.turn(jobs.number(slot)) != Long.MAX_VALUE;
  }

  /** Queues by Priority, equal ones in the order of their creation. */
  static int inServer(QueueState a, QueueState b) {
    int order = Long.compare(b.priority(), a.priority());
    return order == 0 ? createdBefore(a, b) : order;
  }

  private int compareLevels(ClassState a, int slot, ClassState b, int other) {
    int order = Integer.compare(a.level(), b.level());
    if (order == 0 && preemptedCount()) {
      order = Long.compare(preempted.turn(jobs.number(slot)), preempted.turn(jobs.number(other)));
    }
    if (order == 0 && worth.byFormula()) {
      order = Double.compare(worth.valueOf(b, other), worth.valueOf(a, slot));
    }
    return order;
  }

  private int compareKeys(ClassState a, int slot, ClassState b, int other) {
    int order = 0;
    for (int i = 0; i < numbers.length && order == 0; i++) {
      order =
          switch (numbers[i]) {
            case QUEUE_ORDER -> createdBefore(a.queue(), b.queue());
            case SUBMISSION -> Long.compare(jobs.rank(slot), jobs.rank(other));
            default -> Double.compare(value(i, a, slot), value(i, b, other));
          };
      order = high[i] ? -order : order;
    }
    return order;
  }

  static int createdBefore(QueueState a, QueueState b) {
    int order = Long.compare(a.created(), b.created());
    return order == 0 ? a.name().compareTo(b.name()) : order;
  }

  private double value(int key, ClassState owner, int slot) {
    return switch (numbers[key]) {
      case PRIORITY -> jobs.priority(slot);
      case SHARES -> shares.on() ? shares.of(owner).percentage() : 0;
      // A higher level has a smaller number here, and a larger one in PBS.
      case LEVEL -> -owner.level();
      case TIME -> time(owner.shape().walltimeMs());
      case QUEUE_PRIORITY -> owner.queue().priority();
      case CHUNKS -> owner.shape().chunks();
      case LISTED -> lists[key].value(owners.apply(slot));
      default -> owner.shape().total(numbers[key]);
    };
  }

  /** A job without a walltime asks for none. */
  private static double time(long walltimeMs) {
    return walltimeMs == UsageProfile.FOREVER ? 0 : walltimeMs;
  }
}
