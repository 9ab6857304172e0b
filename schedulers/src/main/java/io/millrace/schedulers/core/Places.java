package io.millrace.schedulers.core;

import io.millrace.reservations.resources.ResourceDefinition;
import io.millrace.reservations.resources.ResourceKind;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.policy.JobOrder;
import io.millrace.schemas.attributes.SortFormula;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The number by which a job is ordered before its rank: what the policy says, or what a formula
 * gives instead. It follows from the job's class and its priority alone, so that it is found when a
 * job comes or is changed and when the first of its class is another one, and not in each cycle.
 */
final class Places {

  /** PBS reckons with sizes in kb. */
  private static final double BYTES = 1 << 10;

  private static final double MICROS = 1e6;

  /** So many bits of a result are beyond the number: 35 of its fraction are left of 52. */
  private static final int DROPPED = 17;

  private final ResourceNames names;
  private JobOrder order;
  private SortFormula formula;
  private double threshold = Double.NEGATIVE_INFINITY;
  private ResourceTable resources = ResourceTable.standard();

  /** What the formula wants of a class: numbers of resources, and by what they are divided. */
  private int[] numbers = {};

  private double[] units = {};

  /** Jobs of a class may have several values. */
  private boolean prioritiesCount;

  private static final int OF_QUEUE = -1;
  private static final int OF_JOB = -2;
  private static final int TIME = -3;
  private static final int CHUNKS = -4;

  Places(ResourceNames names, JobOrder order) {
    this.names = names;
    this.order = order;
  }

  /** Another policy or formula holds; false where it is the same. */
  boolean set(JobOrder newOrder, Optional<Settings.Worth> worth) {
    SortFormula wanted = worth.map(Settings.Worth::formula).orElse(null);
    threshold = worth.map(Settings.Worth::threshold).orElse(Double.NEGATIVE_INFINITY);
    boolean same = newOrder == order && Objects.equals(wanted, formula);
    if (!same) {
      order = newOrder;
      formula = wanted;
      resolve();
    }
    return !same;
  }

  /** Custom resources may be of other types. */
  void resources(ResourceTable table) {
    resources = table;
    resolve();
  }

  boolean byFormula() {
    return formula != null;
  }

  private void resolve() {
    List<String> wanted = formula == null ? List.of() : formula.names();
    numbers = new int[wanted.size()];
    units = new double[wanted.size()];
    prioritiesCount = wanted.contains(SortFormula.JOB_PRIORITY);
    for (int i = 0; i < numbers.length; i++) {
      String name = wanted.get(i);
      numbers[i] = number(name);
      units[i] = unit(resources.find(name).map(ResourceDefinition::kind).orElse(ResourceKind.LONG));
    }
  }

  private int number(String name) {
    return switch (name) {
      case SortFormula.QUEUE_PRIORITY -> OF_QUEUE;
      case SortFormula.JOB_PRIORITY -> OF_JOB;
      case "walltime" -> TIME;
      case "nodect", "nchunk" -> CHUNKS;
      default -> names.number(name);
    };
  }

  private static double unit(ResourceKind kind) {
    return switch (kind) {
      case SIZE -> BYTES;
      case FLOAT -> MICROS;
      default -> 1;
    };
  }

  /** Number of a job of this priority, where smaller ones come first. */
  long place(ClassState owner, int priority) {
    if (formula == null) {
      return Levels.place(owner, order, priority);
    }
    return Levels.place(owner, -sortable(value(owner, priority)));
  }

  /**
   * Whether a job is worth too little to start. Then no job of its class that comes later is worth
   * more.
   */
  boolean under(ClassState owner, int priority) {
    return threshold != Double.NEGATIVE_INFINITY && value(owner, priority) <= threshold;
  }

  /** The threshold as it is written. */
  String threshold() {
    return BigDecimal.valueOf(threshold).stripTrailingZeros().toPlainString();
  }

  /** What the formula gives of a job. */
  private double value(ClassState owner, int priority) {
    double[] values = new double[numbers.length];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (numbers[i]) {
            case OF_QUEUE -> owner.queue.priority;
            case OF_JOB -> priority;
            case TIME -> seconds(owner.shape.walltimeMs);
            case CHUNKS -> owner.shape.chunks;
            default -> owner.shape.total(numbers[i]) / units[i];
          };
    }
    return formula.value(values);
  }

  /** A job without a walltime has none that counts, as with PBS. */
  private static double seconds(long walltimeMs) {
    return walltimeMs == UsageProfile.FOREVER ? 0 : walltimeMs / 1000.0;
  }

  /** Larger for larger values; within 2^46. */
  private static long sortable(double value) {
    long bits = Double.doubleToLongBits(value + 0.0); // so that 0 has one form
    return (bits ^ bits >> 63 & Long.MAX_VALUE) >> DROPPED;
  }

  /**
   * Which of two jobs of a class comes earlier, whatever their ranks.
   *
   * @return below 0 for the first, 0 where their ranks decide
   */
  int compare(ClassState owner, int priority, int otherPriority) {
    boolean same = priority == otherPriority || formula != null && !prioritiesCount;
    return same ? 0 : Long.compare(place(owner, priority), place(owner, otherPriority));
  }
}
