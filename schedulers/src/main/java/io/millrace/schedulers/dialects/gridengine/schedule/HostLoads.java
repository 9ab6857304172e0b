package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.cluster.Relation;
import io.millrace.schedulers.dialects.gridengine.options.Numbers;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Loads of hosts: reported values, raised by jobs that started a short while ago. */
final class HostLoads {

  /** Load of a host that reports none of a formula's values. */
  private static final double UNKNOWN = 99;

  private static final Pattern TERM = Pattern.compile("([+-]?)([\\w.]+)(?:\\*(-?[\\d.]+))?");

  private final Cluster cluster;
  private final Policy policy;
  private final Map<String, Double> added = new HashMap<>();
  private final Map<String, Integer> order = new HashMap<>();

  HostLoads(ClusterState state, Policy policy, long now) {
    this.cluster = state.cluster();
    this.policy = policy;
    long decay = policy.adjustmentDecay();
    for (RunningTask task : state.running()) {
      long since = now - task.assignment().start();
      if (since < decay) {
        started(task.assignment(), 1 - since / (double) decay);
      }
    }
  }

  /** Takes note of a task that adds load to its hosts; the part is 1 for one that starts now. */
  void started(Assignment assignment, double part) {
    if (!policy.loadAdjustments().isEmpty()) {
      assignment
          .grants()
          .forEach(grant -> added.merge(grant.queue().host(), part * grant.slots(), Double::sum));
    }
  }

  /**
   * Computes the order of hosts anew.
   *
   * @return whether it changed
   */
  boolean rank(List<String> hosts) {
    Map<String, Double> loads = new HashMap<>();
    hosts.forEach(host -> loads.put(host, formula(host)));
    List<String> sorted = hosts.stream().sorted(Comparator.comparing(loads::get)).toList();
    Map<String, Integer> before = Map.copyOf(order);
    int rank = 0;
    for (int i = 0; i < sorted.size(); i++) {
      if (i > 0 && loads.get(sorted.get(i)) > loads.get(sorted.get(i - 1))) {
        rank++;
      }
      order.put(sorted.get(i), rank);
    }
    return !before.equals(order);
  }

  /** A host's place in the order; equal for equal loads. */
  int rank(QueueInstance queue) {
    return order.getOrDefault(queue.host(), 0);
  }

  private double formula(String host) {
    double sum = 0;
    Matcher term = TERM.matcher(policy.loadFormula());
    while (term.find()) {
      double weight = term.group(3) == null ? 1 : Double.parseDouble(term.group(3));
      Optional<Double> value = Numbers.real(term.group(2)).or(() -> adjusted(host, term.group(2)));
      if (value.isEmpty()) {
        return UNKNOWN;
      }
      sum += (term.group(1).equals("-") ? -1 : 1) * weight * value.get();
    }
    return sum;
  }

  /** A load value with adjustments; np_ values are adjusted per processor. */
  private Optional<Double> adjusted(String host, String name) {
    Complex complex = cluster.complexes().find(name).orElse(null);
    if (complex == null || !complex.type().numeric()) {
      return Optional.empty();
    }
    String load = loads(host).getOrDefault(name, cluster.global().offers().loads().get(name));
    if (load == null) {
      return Optional.ofNullable(cluster.host(host).offers().capacities().get(name));
    }
    double sign =
        complex.relation() == Relation.AT_LEAST || complex.relation() == Relation.ABOVE ? 1 : -1;
    return complex.type().amount(load).map(value -> value + sign * adjustment(host, complex));
  }

  private double adjustment(String host, Complex complex) {
    String each = policy.loadAdjustments().get(complex.name());
    double factor = added.getOrDefault(host, 0.0);
    if (each == null || factor == 0) {
      return 0;
    }
    double processors =
        complex.name().startsWith("np_")
            ? Numbers.real(loads(host).getOrDefault("num_proc", "1")).orElse(1.0)
            : 1;
    return complex.type().amount(each).orElse(0.0) * factor / Math.max(1, processors);
  }

  private Map<String, String> loads(String host) {
    return cluster.host(host).offers().loads();
  }

  /** Which threshold of a queue instance its host's load has reached. */
  Optional<String> overload(QueueInstance queue) {
    for (Map.Entry<String, String> threshold : queue.loadThresholds().entrySet()) {
      Complex complex = cluster.complexes().find(threshold.getKey()).orElse(null);
      if (complex == null) {
        continue;
      }
      Optional<Double> limit = complex.type().amount(threshold.getValue());
      Optional<Double> load = adjusted(queue.host(), complex.name());
      if (limit.isPresent() && load.isPresent() && reached(complex, load.get(), limit.get())) {
        String sign = complex.relation() == Relation.AT_MOST ? "<=" : complex.relation().sign();
        return Optional.of(
            complex.name()
                + "="
                + complex.shown(load.get())
                + (adjustment(queue.host(), complex) == 0 ? " (no load adjustment) " : " ")
                + sign
                + " "
                + threshold.getValue());
      }
    }
    return Optional.empty();
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
