package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.Complexes;
import io.millrace.schedulers.dialects.gridengine.cluster.Offers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One level's resources and their use: an environment, the cluster, a host, a queue instance. */
final class Container {

  private final Level level;
  private final String name;
  private final Offers offers;
  private final Map<String, Usage> usages = new LinkedHashMap<>();

  /** Of exclusive attributes: the use by jobs that do not ask to be alone. */
  private final Map<String, Usage> shared = new LinkedHashMap<>();

  Container(Level level, String name, Offers offers, Complexes complexes) {
    this.level = level;
    this.name = name;
    this.offers = offers;
    for (String resource : offers.capacities().keySet()) {
      usages.put(resource, new Usage(complexes.find(resource).orElseThrow()));
    }
  }

  Level level() {
    return level;
  }

  String name() {
    return name;
  }

  Offers offers() {
    return offers;
  }

  boolean limits(Complex complex) {
    return offers.capacities().containsKey(complex.name());
  }

  double capacity(Complex complex) {
    return offers.capacities().get(complex.name());
  }

  Usage usage(Complex complex) {
    return usages.get(complex.name());
  }

  Usage shared(Complex complex) {
    return shared.computeIfAbsent(complex.name(), name -> new Usage(complex));
  }

  /** What is left of a consumable at the scarcest moment of a span. */
  double left(Complex complex, Span span) {
    return capacity(complex) - span.used(usage(complex));
  }

  /**
   * An attribute's value here, before any use.
   *
   * @param amount 0 for attributes that are no numbers
   * @param kind c consumable, f fixed, l load
   */
  record Offered(double amount, String text, char kind) {}

  /** Of a configured and a reported value the scarcer one counts. */
  Optional<Offered> offered(Complex complex) {
    Offered set = null;
    if (limits(complex)) {
      set = new Offered(capacity(complex), "", 'c');
    } else if (offers.values().containsKey(complex.name())) {
      String text = offers.values().get(complex.name());
      set = new Offered(complex.type().amount(text).orElse(0.0), text, 'f');
    }
    String load = offers.loads().get(complex.name());
    if (load == null) {
      return Optional.ofNullable(set);
    }
    double amount = complex.type().amount(load).orElse(0.0);
    if (set == null
        || (complex.type().numeric()
            && complex.relation().scarcer(set.amount(), amount) != set.amount())) {
      return Optional.of(new Offered(amount, load, 'l'));
    }
    return Optional.of(set);
  }
}
