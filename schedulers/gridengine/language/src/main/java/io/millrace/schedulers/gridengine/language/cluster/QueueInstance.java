package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.OptionValues;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A cluster queue on one host. */
public final class QueueInstance {

  /** State that an administrator has set with qmod. */
  public enum QueueInstanceState {
    /** Neither disabled nor suspended. */
    USUAL,
    /** qmod -d: running jobs go on, no other job starts. */
    DISABLED,
    /** qmod -sq: running jobs are stopped, no other job starts. */
    SUSPENDED
  }

  /**
   * Whether it takes jobs.
   *
   * @param ambiguous warnings about options of which more than one host group gives a value; an
   *     instance that has any takes no jobs
   */
  private record InstanceAvailability(QueueInstanceState state, List<String> ambiguous) {

    static final InstanceAvailability USUAL =
        new InstanceAvailability(QueueInstanceState.USUAL, List.of());
  }

  private final String queue;
  private final String host;
  private final OptionValues settings;
  private final OfferedAttributes offers;
  private final ObjectAccess access;
  private final InstanceAvailability standing;

  // Read from the settings once, because each run of the scheduler asks for them.
  private final String name;
  private final int slots;
  private final int sequence;
  private final String types;
  private final Set<String> environments;
  private final long runtimeLimit;
  private final Map<String, String> loadThresholds;

  /**
   * An instance.
   *
   * @param settings the queue's options with the values that hold on this host
   */
  public QueueInstance(
      String queue,
      String host,
      OptionValues settings,
      OfferedAttributes offers,
      ObjectAccess access) {
    this(queue, host, settings, offers, access, InstanceAvailability.USUAL);
  }

  private QueueInstance(
      String queue,
      String host,
      OptionValues settings,
      OfferedAttributes offers,
      ObjectAccess access,
      InstanceAvailability standing) {
    this.queue = queue;
    this.host = host;
    this.settings = settings;
    this.offers = offers;
    this.access = access;
    this.standing = standing;
    this.name = queue + "@" + host;
    this.slots = Integer.parseInt(settings.get("slots"));
    this.sequence = Integer.parseInt(settings.get("seq_no"));
    this.types = settings.get("qtype").toUpperCase(Locale.ROOT);
    this.environments = Set.copyOf(List.of(settings.get("pe_list").split("[,\\s]+")));
    this.runtimeLimit = Math.min(settings.seconds("h_rt"), settings.seconds("s_rt"));
    this.loadThresholds =
        Collections.unmodifiableMap(OfferedAttributes.pairs(settings.get("load_thresholds")));
  }

  /** A copy in another state. */
  public QueueInstance in(QueueInstanceState other) {
    InstanceAvailability standing = new InstanceAvailability(other, this.standing.ambiguous());
    return new QueueInstance(queue, host, settings, offers, access, standing);
  }

  /** A copy that offers something else. */
  public QueueInstance offering(OfferedAttributes others) {
    return new QueueInstance(queue, host, settings, others, access, standing);
  }

  /** A copy with these warnings about its options. */
  QueueInstance ambiguous(List<String> warnings) {
    InstanceAvailability standing =
        new InstanceAvailability(this.standing.state(), List.copyOf(warnings));
    return new QueueInstance(queue, host, settings, offers, access, standing);
  }

  /** Warnings about options of which several host groups give a value; it takes no jobs then. */
  public List<String> ambiguities() {
    return standing.ambiguous();
  }

  public String queue() {
    return queue;
  }

  public String host() {
    return host;
  }

  public OptionValues settings() {
    return settings;
  }

  public OfferedAttributes offers() {
    return offers;
  }

  public ObjectAccess access() {
    return access;
  }

  public String name() {
    return name;
  }

  public int slots() {
    return slots;
  }

  public int sequence() {
    return sequence;
  }

  public boolean batch() {
    return types.contains("BATCH");
  }

  public boolean interactive() {
    return types.contains("INTERACTIVE");
  }

  public boolean disabled() {
    return standing.state() == QueueInstanceState.DISABLED
        || settings.get("initial_state").equalsIgnoreCase("disabled");
  }

  public boolean suspended() {
    return standing.state() == QueueInstanceState.SUSPENDED;
  }

  public boolean offers(ParallelEnvironment environment) {
    return environments.contains(environment.name());
  }

  /** The lower one of the queue's runtime limits h_rt and s_rt, in seconds. */
  public long runtimeLimit() {
    return runtimeLimit;
  }

  /** Seconds after which the queue ends a run, at least one; h_rt alone. */
  public long hardLimit() {
    return Math.max(1, settings.seconds("h_rt"));
  }

  /** Seconds after which the queue warns a run with SIGUSR1, at least one; s_rt alone. */
  public long softLimit() {
    return Math.max(1, settings.seconds("s_rt"));
  }

  public Map<String, String> loadThresholds() {
    return loadThresholds;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof QueueInstance that
            && name.equals(that.name)
            && standing.equals(that.standing)
            && settings.equals(that.settings)
            && offers.equals(that.offers)
            && access.equals(that.access);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
