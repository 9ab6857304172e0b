package io.millrace.schedulers.dialects.gridengine.schedule.load;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ResourceUse;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.LevelResources;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Place;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.LoadFormula;
import io.millrace.schedulers.gridengine.language.cluster.Relation;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Loads of hosts: reported values, raised by jobs that started a short while ago, and what is left
 * of consumables.
 */
public final class HostLoads {

  /** Load of a host that reports none of the formula's values. */
  private static final double UNKNOWN = 99;

  /** One threshold of load_thresholds. */
  record Threshold(Complex complex, Optional<Double> limit, String text) {}

  /** A weighted term of the load formula: a number, or the value of an attribute. */
  private record WeightedLoad(
      double weight, Optional<Double> constant, Optional<Complex> complex) {}

  private final Cluster cluster;
  private final PlannedCluster site;
  private final SchedConf policy;
  private final List<WeightedLoad> formula = new ArrayList<>();
  private final ConsumablesLeft remains = new ConsumablesLeft();
  private final Map<Map<String, String>, List<Threshold>> thresholds = new HashMap<>();
  private final double[] added;
  private final double[] values;
  private final int[] order;

  /**
   * Loads without an order of hosts; that needs all running tasks to be noted, and {@link #rank}.
   */
  public HostLoads(ClusterState state, PlannedCluster site, SchedConf policy, long now) {
    this.cluster = state.cluster();
    this.site = site;
    this.policy = policy;
    this.added = new double[site.hosts().size()];
    this.values = new double[added.length];
    this.order = new int[added.length];
    LoadFormula.of(policy.loadFormula()).forEach(term -> formula.add(part(term)));
    formula.forEach(part -> part.complex().ifPresent(remains::watch));
    for (Place place : site.places()) {
      thresholds(place).forEach(threshold -> remains.watch(threshold.complex()));
    }
    long decay = policy.adjustmentDecay();
    for (RunningTask task : state.running()) {
      long since = now - task.assignment().start();
      if (since < decay) {
        adjust(task.assignment(), 1 - since / (double) decay);
      }
    }
  }

  private WeightedLoad part(LoadFormula.LoadTerm term) {
    Optional<Complex> complex =
        cluster.complexes().find(term.name()).filter(named -> named.type().numeric());
    return new WeightedLoad(term.weight(), term.constant(), complex);
  }

  /** Whether the consumables that tasks take have to be counted. */
  public boolean countsUse() {
    return remains.watches();
  }

  /** Counts what a running task holds. */
  public void running(List<ResourceUse> uses) {
    remains.take(uses);
  }

  /**
   * Counts a task that starts now. As in Grid Engine, only the loads of its own hosts are computed
   * again, even when it takes a consumable of the whole cluster.
   *
   * @return whether any of them changed
   */
  public boolean started(Assignment assignment, List<ResourceUse> uses) {
    boolean adjusted = adjust(assignment, 1);
    if (!adjusted && !remains.watches()) {
      return false;
    }
    remains.take(uses);
    boolean changed = false;
    for (Grant grant : assignment.grants()) {
      Place place = site.place(grant);
      if (place != null) {
        int host = place.hostNumber();
        double before = values[host];
        values[host] = load(host);
        changed |= values[host] != before;
      }
    }
    return changed;
  }

  /**
   * Adds the job load adjustment of a task; {@code part} is 1 for a task that starts now and falls
   * to 0 with its age.
   */
  private boolean adjust(Assignment assignment, double part) {
    // With a decay time of 0 an adjustment has faded at once, even for the run in which the task
    // starts.
    if (policy.loadAdjustments().isEmpty() || policy.adjustmentDecay() == 0) {
      return false;
    }
    for (Grant grant : assignment.grants()) {
      Place place = site.place(grant);
      if (place != null) {
        added[place.hostNumber()] += part * grant.slots();
      }
    }
    return true;
  }

  /** Sorts all hosts by what they report and have left now. */
  public void rank() {
    for (int host = 0; host < values.length; host++) {
      values[host] = load(host);
    }
    reorder();
  }

  /**
   * Sorts the hosts again by their loads.
   *
   * @return whether the order changed
   */
  public boolean reorder() {
    List<Integer> sorted = new ArrayList<>();
    for (int host = 0; host < values.length; host++) {
      sorted.add(host);
    }
    sorted.sort(Comparator.comparingDouble(host -> values[host]));
    boolean changed = false;
    int rank = 0;
    for (int i = 0; i < sorted.size(); i++) {
      int host = sorted.get(i);
      if (i > 0 && values[host] > values[sorted.get(i - 1)]) {
        rank++;
      }
      changed |= order[host] != rank;
      order[host] = rank;
    }
    return changed;
  }

  /** Rank of a place's host in the order of loads; equal for equal loads. */
  int rank(Place place) {
    return order[place.hostNumber()];
  }

  private double load(int host) {
    double sum = 0;
    for (WeightedLoad part : formula) {
      Optional<Double> value =
          part.constant().or(() -> part.complex().flatMap(complex -> value(host, complex)));
      if (value.isEmpty()) {
        return UNKNOWN;
      }
      sum += part.weight() * value.get();
    }
    return sum;
  }

  /** Value of an attribute at a host now: the scarcer of the cluster's and the host's value. */
  private Optional<Double> value(int host, Complex complex) {
    Optional<Double> own = value(site.hosts().get(host), complex, host);
    return scarcer(complex, value(site.global(), complex, host), own);
  }

  /**
   * Value of an attribute at one level: the scarcer of a configured value and a load, the load
   * adjusted for the host.
   */
  private Optional<Double> value(LevelResources holder, Complex complex, int host) {
    Optional<Double> configured = remains.left(holder, complex);
    if (configured.isEmpty()) {
      configured =
          Optional.ofNullable(holder.offers().values().get(complex.name()))
              .flatMap(complex.type()::amount);
    }
    return scarcer(
        complex, configured, adjusted(host, complex, holder.offers().loads().get(complex.name())));
  }

  static Optional<Double> scarcer(
      Complex complex, Optional<Double> first, Optional<Double> second) {
    if (first.isEmpty() || second.isEmpty()) {
      return first.or(() -> second);
    }
    return Optional.of(complex.relation().scarcer(first.get(), second.get()));
  }

  /** A load value with adjustments; np_ values are adjusted per processor. */
  private Optional<Double> adjusted(int host, Complex complex, String load) {
    if (load == null) {
      return Optional.empty();
    }
    double sign =
        complex.relation() == Relation.AT_LEAST || complex.relation() == Relation.ABOVE ? 1 : -1;
    return complex.type().amount(load).map(value -> value + sign * adjustment(host, complex));
  }

  private double adjustment(int host, Complex complex) {
    return added[host] == 0 ? 0 : adjustmentEach(host, complex) * added[host];
  }

  /** Job load adjustment that each slot of a starting job adds to a load of its host. */
  double adjustmentEach(int host, Complex complex) {
    String each = policy.loadAdjustments().get(complex.name());
    if (each == null) {
      return 0;
    }
    double processors =
        complex.name().startsWith("np_")
            ? Numbers.real(loads(host).getOrDefault("num_proc", "1")).orElse(1.0)
            : 1;
    return complex.type().amount(each).orElse(0.0) / Math.max(1, processors);
  }

  private Map<String, String> loads(int host) {
    return site.hosts().get(host).offers().loads();
  }

  /**
   * The load threshold of a queue instance that is reached; empty when none is. A consumable that
   * no level offers counts as reached, a load that the host does not report does not.
   */
  public Optional<String> overload(Place place) {
    for (Threshold threshold : thresholds(place)) {
      Complex complex = threshold.complex();
      Optional<Double> load = complex.type().numeric() ? value(place, complex) : Optional.empty();
      if (load.isEmpty() && complex.consumable()) {
        return Optional.of("no complex attribute for threshold " + complex.name());
      }
      if (threshold.limit().isPresent()
          && load.isPresent()
          && reached(complex, load.get(), threshold.limit().get())) {
        String sign = complex.relation() == Relation.AT_MOST ? "<=" : complex.relation().sign();
        return Optional.of(
            complex.name()
                + "="
                + complex.shown(load.get())
                + (adjustment(place.hostNumber(), complex) == 0 ? " (no load adjustment) " : " ")
                + sign
                + " "
                + threshold.text());
      }
    }
    return Optional.empty();
  }

  /**
   * Present value of a threshold's attribute: for a consumable the least that is left at any level,
   * for a load that of the host.
   */
  Optional<Double> value(Place place, Complex complex) {
    int host = place.hostNumber();
    return complex.consumable()
        ? scarcer(complex, value(host, complex), value(place.own(), complex, host))
        : adjusted(host, complex, load(host, complex));
  }

  /** A reported load, without adjustments. */
  Optional<Double> reported(Place place, Complex complex) {
    return Optional.ofNullable(load(place.hostNumber(), complex)).flatMap(complex.type()::amount);
  }

  private String load(int host, Complex complex) {
    String common = cluster.global().offers().loads().get(complex.name());
    return loads(host).getOrDefault(complex.name(), common);
  }

  List<Threshold> thresholds(Place place) {
    Map<String, String> texts = place.queue().loadThresholds();
    return texts.isEmpty() ? List.of() : thresholds.computeIfAbsent(texts, this::read);
  }

  private List<Threshold> read(Map<String, String> texts) {
    List<Threshold> read = new ArrayList<>();
    texts.forEach(
        (name, text) ->
            cluster
                .complexes()
                .find(name)
                .ifPresent(
                    complex ->
                        read.add(new Threshold(complex, complex.type().amount(text), text))));
    return read;
  }

  private static boolean reached(Complex complex, double load, double limit) {
    return switch (complex.relation()) {
      case AT_LEAST -> load >= limit;
      case ABOVE -> load > limit;
      case AT_MOST -> load <= limit;
      case BELOW -> load < limit;
      case EQUAL -> load == limit;
      case UNEQUAL -> load != limit;
      case EXCLUSIVE -> false;
    };
  }
}
