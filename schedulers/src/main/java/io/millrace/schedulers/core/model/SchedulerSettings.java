package io.millrace.schedulers.core.model;

import io.millrace.schedulers.core.policy.JobOrder;
import io.millrace.schedulers.core.policy.JobSequence;
import io.millrace.schedulers.core.policy.KeyedPolicy;
import io.millrace.schedulers.core.policy.NodeOrder;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.Preemption;
import io.millrace.schedulers.core.policy.StrictOrdering;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.attributes.BackfillFuzzy;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import io.millrace.schemas.pbs.attributes.SortFormula;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Attributes of the scheduler object that an engine obeys.
 *
 * @param scheduling false stops all starts
 * @param partitions names of the partitions whose queues and nodes are this scheduler's
 * @param iterationS seconds between cycles that try everything again
 * @param accumulationS seconds by which a submission is allowed to delay its cycle
 * @param chosen how jobs and nodes are chosen
 * @param pace how long a cycle takes, and how often and how much is told of it
 */
public record SchedulerSettings(
    boolean scheduling,
    Set<String> partitions,
    long iterationS,
    long accumulationS,
    PolicyChoice chosen,
    Pace pace) {

  /**
   * Bounds in time, and what is told.
   *
   * @param cycleS most seconds of a cycle
   * @param updateS seconds between two reports of why jobs wait
   * @param fuzzMs how much later than possible a promised start may be, to find it sooner
   * @param logEvents bits of what the day log is told
   */
  public record Pace(long cycleS, long updateS, long fuzzMs, int logEvents) {

    /** What holds when nothing is said. */
    static final Pace USUAL = new Pace(1200, 0, 0, 767);

    /** What a cycle may take of the time that it gets; the next one goes on with what is left. */
    public Duration cycle(Duration most) {
      Duration asked = Duration.ofSeconds(cycleS);
      return asked.compareTo(most) < 0 ? asked : most;
    }
  }

  /**
   * What makes up a policy.
   *
   * @param policy what was chosen; empty when nothing was
   * @param nodeOrder the order of nodes that was chosen; empty when the policy's holds
   * @param preemption whose running jobs may be stopped
   * @param formula what the order of jobs goes by instead of the policy's; empty when there is none
   * @param sets in which sets of nodes jobs are placed
   */
  record PolicyChoice(
      Optional<Policy> policy,
      Optional<NodeOrder> nodeOrder,
      Preemption preemption,
      Optional<FormulaValue> formula,
      PlacementRule sets) {}

  /**
   * The value of a job by {@code job_sort_formula}.
   *
   * @param formula computes it; jobs of higher value go first
   * @param threshold jobs of at most this value do not start; -Infinity where there is none
   */
  public record FormulaValue(SortFormula formula, double threshold) {}

  private static final long ITERATION_S = 600;

  /** PBS's backfill depth when neither the server nor the scheduler object sets one. */
  private static final long BACKFILL_DEPTH = 1;

  /** Settings while the scheduler object has not been read: nothing is started. */
  public static SchedulerSettings absent() {
    PolicyChoice nothing =
        new PolicyChoice(
            Optional.empty(),
            Optional.empty(),
            Preemption.NONE,
            Optional.empty(),
            PlacementRule.NONE);
    return new SchedulerSettings(false, Set.of(), ITERATION_S, 0, nothing, Pace.USUAL);
  }

  /**
   * @param server the server's object, whose {@code backfill_depth} and {@code
   *     job_accumulation_time} hold for all schedulers that have none of their own, and which
   *     nobody starts anything for while it is being ended; null when it was not seen
   */
  public static SchedulerSettings of(ClusterObject scheduler, ClusterObject server) {
    return new SchedulerSettings(
        starts(scheduler) && !(server != null && ends(server)),
        partitionsOf(scheduler),
        Math.max(1, ObjectAttributes.number(scheduler, "scheduler_iteration", ITERATION_S)),
        accumulationS(scheduler, server),
        new PolicyChoice(
            bySchedConfig(scheduler) ? Optional.empty() : policy(scheduler, server),
            bySchedConfig(scheduler)
                ? Optional.empty()
                : NodeOrder.parse(ObjectAttributes.text(scheduler, "node_sort_key", "")),
            preemption(scheduler),
            formula(scheduler, server),
            PlacementRule.of(scheduler, server)),
        pace(scheduler));
  }

  /** Whether a scheduler object may start anything, by what it says itself. */
  public static boolean starts(ClusterObject scheduler) {
    return ObjectAttributes.text(scheduler, "scheduling", isDefault(scheduler) ? "True" : "False")
        .equalsIgnoreCase("true");
  }

  /** Names of the partitions whose queues and nodes are a scheduler object's. */
  public static Set<String> partitionsOf(ClusterObject scheduler) {
    Set<String> partitions = new TreeSet<>();
    if (isDefault(scheduler)) {
      partitions.add(DefaultNames.PARTITION);
    }
    Arrays.stream(ObjectAttributes.text(scheduler, "partition", "").split(","))
        .map(String::strip)
        .filter(it -> !it.isEmpty())
        .forEach(partitions::add);
    return partitions;
  }

  private static boolean isDefault(ClusterObject scheduler) {
    return scheduler.getName().equals(DefaultNames.SCHEDULER);
  }

  private static Pace pace(ClusterObject scheduler) {
    String cycle = text(scheduler, "sched_cycle_length");
    String fuzzy = ObjectAttributes.text(scheduler, "opt_backfill_fuzzy", "off");
    String events = text(scheduler, "log_events");
    return new Pace(
        AttributeType.parseSeconds(cycle).orElse(Pace.USUAL.cycleS()),
        ObjectAttributes.number(scheduler, "attr_update_period", 0),
        BackfillFuzzy.seconds(fuzzy).orElse(0) * 1_000,
        events.matches("\\d{1,9}") ? Integer.parseInt(events) : 0);
  }

  public long fuzzMs() {
    return pace.fuzzMs();
  }

  /**
   * True when the texts of a sched_config say how jobs and nodes are chosen, and not the attributes
   * of the same names.
   */
  public static boolean bySchedConfig(ClusterObject scheduler) {
    return ObjectAttributes.text(scheduler, "policy", "").equals(AttributeTable.SCHED_CONFIG)
        && !ObjectAttributes.text(scheduler, AttributeTable.SCHED_CONFIG, "").isEmpty();
  }

  /** The scheduler object's own, which may be 0, or the server's. */
  private static long accumulationS(ClusterObject scheduler, ClusterObject server) {
    String name = "job_accumulation_time";
    long usual = server == null ? 0 : ObjectAttributes.number(server, name, 0);
    return ObjectAttributes.number(scheduler, name, usual);
  }

  /**
   * The formula of the server holds for all schedulers; the shard accepts no second one at the
   * scheduler object.
   */
  private static Optional<FormulaValue> formula(ClusterObject scheduler, ClusterObject server) {
    String own = ObjectAttributes.text(scheduler, AttributeTable.FORMULA, "");
    String text =
        own.isEmpty() && server != null
            ? ObjectAttributes.text(server, AttributeTable.FORMULA, "")
            : own;
    String threshold = ObjectAttributes.text(scheduler, AttributeTable.FORMULA_THRESHOLD, "");
    double least = threshold.isEmpty() ? Double.NEGATIVE_INFINITY : Double.parseDouble(threshold);
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(new FormulaValue(SortFormula.of(text), least));
    } catch (SortFormula.BadFormula e) {
      throw new IllegalStateException("the shard took the formula " + text, e);
    }
  }

  /** Whether the server is being ended, so that nobody starts anything. */
  public static boolean ends(ClusterObject server) {
    return !ObjectAttributes.text(server, AttributeTable.TERMINATING, "").isEmpty();
  }

  public Optional<Policy> policy() {
    return chosen.policy();
  }

  /** The placement sets of jobs whose queue has no keys of its own. */
  public PlacementRule sets() {
    return chosen.sets();
  }

  public Optional<NodeOrder> nodeOrder() {
    return chosen.nodeOrder();
  }

  public Preemption preemption() {
    return chosen.preemption();
  }

  public Optional<FormulaValue> formula() {
    return chosen.formula();
  }

  private static Preemption preemption(ClusterObject scheduler) {
    String on = ObjectAttributes.text(scheduler, "preemptive_sched", "True");
    return on.equalsIgnoreCase("true") || bySchedConfig(scheduler)
        ? Preemption.of(
                text(scheduler, "preempt_prio"),
                Long.parseLong(text(scheduler, "preempt_queue_prio")),
                text(scheduler, "preempt_order"))
            .orElse(Preemption.NONE)
        : Preemption.NONE;
  }

  private static String text(ClusterObject scheduler, String attribute) {
    String ifUnset = AttributeTable.defaultOf(ObjectKind.SCHEDULER, attribute);
    return ObjectAttributes.text(scheduler, attribute, ifUnset);
  }

  /**
   * The policy that was chosen; {@code strict_ordering} wins over a policy named in {@code policy},
   * and keys of jobs over the order of both. Where only preempted jobs are to come first, the keys
   * are those of the policy's own order.
   */
  private static Optional<Policy> policy(ClusterObject scheduler, ClusterObject server) {
    Optional<Policy> named = named(scheduler, server);
    Policy base = named.orElse(Policies.STANDARD);
    boolean resumes = isTrue(scheduler, "sched_preempt_enforce_resumption");
    boolean byQueue = isTrue(scheduler, AttributeTable.BY_QUEUE);
    boolean roundRobin = isTrue(scheduler, AttributeTable.ROUND_ROBIN);
    List<JobSequence.JobOrderKey> keys =
        JobSequence.keys(ObjectAttributes.text(scheduler, AttributeTable.JOB_SORT_KEY, ""));
    boolean keyed = byQueue || roundRobin || !keys.isEmpty();
    if (!keyed && resumes && base.order() == JobOrder.PRIORITY) {
      byQueue = true;
      keys = List.of(new JobSequence.JobOrderKey(JobSequence.JOB_PRIORITY, true));
    }
    JobSequence sequence = new JobSequence(byQueue, roundRobin, false, resumes, keys);
    return keyed || resumes ? Optional.of(new KeyedPolicy(base, sequence)) : named;
  }

  private static boolean isTrue(ClusterObject scheduler, String attribute) {
    return ObjectAttributes.text(scheduler, attribute, "False").equalsIgnoreCase("true");
  }

  private static Optional<Policy> named(ClusterObject scheduler, ClusterObject server) {
    if (ObjectAttributes.text(scheduler, "strict_ordering", "False").equalsIgnoreCase("true")) {
      long everywhere =
          server == null
              ? BACKFILL_DEPTH
              : ObjectAttributes.number(server, "backfill_depth", BACKFILL_DEPTH);
      long depth = ObjectAttributes.number(scheduler, "backfill_depth", everywhere);
      return Optional.of(new StrictOrdering((int) Math.min(depth, Policy.EVERY_JOB)));
    }
    return Policies.find(ObjectAttributes.text(scheduler, "policy", ""));
  }
}
