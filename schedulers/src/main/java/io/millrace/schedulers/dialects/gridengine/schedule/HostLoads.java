package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.LoadFormula;
import io.millrace.schedulers.dialects.gridengine.cluster.Relation;
import io.millrace.schedulers.dialects.gridengine.options.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Loads of hosts: reported values, raised by jobs that started a short while ago. */
final class HostLoads {

  /** Load of a host that reports none of a formula's values. */
  private static final double UNKNOWN = 99;

  /** A value of load_thresholds. */
  private record Threshold(Complex complex, Optional<Double> limit, String text) {}

  private final Cluster cluster;
  private final Site site;
  private final Policy policy;
  private final List<LoadFormula.Term> formula;
  private final Map<Map<String, String>, List<Threshold>> thresholds = new HashMap<>();
  private final double[] added;
  private final int[] order;

  HostLoads(ClusterState state, Site site, Policy policy, long now) {
    this.cluster = state.cluster();
    this.site = site;
    this.policy = policy;
    this.formula = LoadFormula.of(policy.loadFormula());
    this.added = new double[site.hosts().size()];
    this.order = new int[site.hosts().size()];
    long decay = policy.adjustmentDecay();
    for (RunningTask task : state.running()) {
      long since = now - task.assignment().start();
      if (since < decay) {
        started(task.assignment(), 1 - since / (double) decay);
      }
    }
    rank();
  }

  /**
   * Takes note of a task that adds load to its hosts; the part is 1 for one that starts now.
   *
   * @return whether loads can have changed
   */
  boolean started(Assignment assignment, double part) {
    // What fades away in no time is never there, not even for the run in which the task starts.
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

  /**
   * Computes the order of hosts anew.
   *
   * @return whether it changed
   */
  boolean rank() {
    double[] loads = new double[order.length];
    List<Integer> sorted = new ArrayList<>();
    for (int host = 0; host < loads.length; host++) {
      loads[host] = load(host);
      sorted.add(host);
    }
    sorted.sort(Comparator.comparingDouble(host -> loads[host]));
    boolean changed = false;
    int rank = 0;
    for (int i = 0; i < sorted.size(); i++) {
      int host = sorted.get(i);
      if (i > 0 && loads[host] > loads[sorted.get(i - 1)]) {
        rank++;
      }
      changed |= order[host] != rank;
      order[host] = rank;
    }
    return changed;
  }

  /** A host's place in the order; equal for equal loads. */
  int rank(Place place) {
    return order[place.hostNumber()];
  }

  private double load(int host) {
    double sum = 0;
    for (LoadFormula.Term term : formula) {
      Optional<Double> value = term.constant().or(() -> adjusted(host, term.name()));
      if (value.isEmpty()) {
        return UNKNOWN;
      }
      sum += term.weight() * value.get();
    }
    return sum;
  }

  /** A load value with adjustments; np_ values are adjusted per processor. */
  private Optional<Double> adjusted(int host, String name) {
    return cluster
        .complexes()
        .find(name)
        .filter(complex -> complex.type().numeric())
        .flatMap(complex -> adjusted(host, complex));
  }

  private Optional<Double> adjusted(int host, Complex complex) {
    String name = complex.name();
    String load = loads(host).getOrDefault(name, cluster.global().offers().loads().get(name));
    if (load == null) {
      return Optional.ofNullable(site.hosts().get(host).offers().capacities().get(name));
    }
    double sign =
        complex.relation() == Relation.AT_LEAST || complex.relation() == Relation.ABOVE ? 1 : -1;
    return complex.type().amount(load).map(value -> value + sign * adjustment(host, complex));
  }

  private double adjustment(int host, Complex complex) {
    String each = policy.loadAdjustments().get(complex.name());
    if (each == null || added[host] == 0) {
      return 0;
    }
    double processors =
        complex.name().startsWith("np_")
            ? Numbers.real(loads(host).getOrDefault("num_proc", "1")).orElse(1.0)
            : 1;
    return complex.type().amount(each).orElse(0.0) * added[host] / Math.max(1, processors);
  }

  private Map<String, String> loads(int host) {
    return site.hosts().get(host).offers().loads();
  }

  /** Which threshold of a queue instance its host's load has reached. */
  Optional<String> overload(Place place) {
    for (Threshold threshold :
        thresholds.computeIfAbsent(place.queue().loadThresholds(), this::read)) {
      Complex complex = threshold.complex();
      Optional<Double> load =
          complex.type().numeric() ? adjusted(place.hostNumber(), complex) : Optional.empty();
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
