package io.millrace.schedulers.dialects.gridengine.cluster;

import io.millrace.schedulers.dialects.gridengine.options.Settings;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A cluster queue on one host. */
public final class QueueInstance {

  /** What an administrator did with it while the system runs. */
  public enum State {
    /** Nothing. */
    USUAL,
    /** qmod -d: jobs that run go on, no other starts. */
    DISABLED,
    /** qmod -sq: jobs that run are stopped, no other starts. */
    SUSPENDED
  }

  private final String queue;
  private final String host;
  private final Settings settings;
  private final Offers offers;
  private final Access access;
  private final State state;

  // What each run of the scheduler asks for; read out of the settings once.
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
  public QueueInstance(String queue, String host, Settings settings, Offers offers, Access access) {
    this(queue, host, settings, offers, access, State.USUAL);
  }

  private QueueInstance(
      String queue, String host, Settings settings, Offers offers, Access access, State state) {
    this.queue = queue;
    this.host = host;
    this.settings = settings;
    this.offers = offers;
    this.access = access;
    this.state = state;
    this.name = queue + "@" + host;
    this.slots = Integer.parseInt(settings.get("slots"));
    this.sequence = Integer.parseInt(settings.get("seq_no"));
    this.types = settings.get("qtype").toUpperCase(Locale.ROOT);
    this.environments = Set.copyOf(List.of(settings.get("pe_list").split("[,\\s]+")));
    this.runtimeLimit = settings.seconds("h_rt");
    this.loadThresholds =
        Collections.unmodifiableMap(Offers.pairs(settings.get("load_thresholds")));
  }

  /** The same instance in another state. */
  public QueueInstance in(State other) {
    return state == other ? this : new QueueInstance(queue, host, settings, offers, access, other);
  }

  public String queue() {
    return queue;
  }

  public String host() {
    return host;
  }

  public Settings settings() {
    return settings;
  }

  public Offers offers() {
    return offers;
  }

  public Access access() {
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
    return state == State.DISABLED || settings.get("initial_state").equalsIgnoreCase("disabled");
  }

  public boolean suspended() {
    return state == State.SUSPENDED;
  }

  public boolean offers(ParallelEnvironment environment) {
    return environments.contains(environment.name());
  }

  /** Limit of the runtime of its jobs in seconds. */
  public long runtimeLimit() {
    return runtimeLimit;
  }

  public Map<String, String> loadThresholds() {
    return loadThresholds;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof QueueInstance that
            && name.equals(that.name)
            && state == that.state
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
