package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.reservations.timeline.Container;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Level;
import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.cluster.Relation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One level's attributes: an environment, the cluster, a host, a queue instance. The use of its
 * consumables is in its container of the timeline.
 */
public final class LevelResources {

  private final Level level;
  private final String name;
  private final OfferedAttributes offers;
  private final Attributes attributes;
  private final Container container;

  /** Its consumables, in the order of their text. */
  private final List<Complex> consumables = new ArrayList<>();

  private final Demand[] unasked;

  /** By number of the attribute, as far as they were asked for. */
  private final Offered[] offered;

  private final Obstacles findings;

  public LevelResources(Level level, String name, OfferedAttributes offers, Attributes attributes) {
    this.level = level;
    this.name = name;
    this.offers = offers;
    this.attributes = attributes;
    long[] capacities = new long[attributes.consumables()];
    Arrays.fill(capacities, Container.ABSENT);
    offers
        .capacities()
        .forEach(
            (resource, amount) -> {
              Complex complex = attributes.named(resource);
              consumables.add(complex);
              capacities[attributes.resource(complex)] = attributes.capacity(complex, amount);
            });
    this.container = new Container(capacities);
    this.unasked = unaskedDemands();
    this.offered = new Offered[attributes.count()];
    this.findings = new Obstacles(this);
  }

  /** Slots, then default requests. */
  private Demand[] unaskedDemands() {
    List<Demand> demands = new ArrayList<>();
    if (consumables.contains(attributes.slots())) {
      demands.add(new Demand(attributes.slots(), "1", 1, false, attributes));
    }
    for (Complex complex : consumables) {
      boolean counts = complex.usualAmount() != 0 || complex.relation() == Relation.EXCLUSIVE;
      if (!complex.name().equals("slots") && counts) {
        demands.add(
            new Demand(complex, complex.worth().usual(), complex.usualAmount(), false, attributes));
      }
    }
    return demands.toArray(new Demand[0]);
  }

  public Level level() {
    return level;
  }

  public String name() {
    return name;
  }

  public OfferedAttributes offers() {
    return offers;
  }

  public Container container() {
    return container;
  }

  public List<Complex> consumables() {
    return consumables;
  }

  /** What each slot takes without asking, unless the job asked for another amount. */
  Demand[] unasked() {
    return unasked;
  }

  Obstacles findings() {
    return findings;
  }

  /** Whether the demand is for a consumable that the container has a limited amount of. */
  boolean limits(Demand demand) {
    return demand.resource() != Attributes.NO_RESOURCE && container.limits(demand.resource());
  }

  long left(Demand demand, TimeSpan span) {
    return container.left(demand.resource(), span.from(), span.to());
  }

  /**
   * An attribute's value here, before any use.
   *
   * @param amount 0 for attributes that are no numbers
   * @param kind c consumable, f fixed, l load
   */
  record Offered(double amount, String text, char kind) {

    static final Offered NOTHING = new Offered(0, "", ' ');
  }

  /** Of a configured and a reported value the scarcer one counts. */
  Offered offered(Demand demand) {
    Offered known = offered[demand.number()];
    if (known == null) {
      known = offered(demand.complex());
      offered[demand.number()] = known;
    }
    return known;
  }

  private Offered offered(Complex complex) {
    Offered set = Offered.NOTHING;
    if (offers.capacities().containsKey(complex.name())) {
      set = new Offered(offers.capacities().get(complex.name()), "", 'c');
    } else if (offers.values().containsKey(complex.name())) {
      String text = offers.values().get(complex.name());
      set = new Offered(complex.type().amount(text).orElse(0.0), text, 'f');
    }
    String load = offers.loads().get(complex.name());
    if (load == null) {
      return set;
    }
    double amount = complex.type().amount(load).orElse(0.0);
    boolean scarcer =
        complex.type().numeric()
            && complex.relation().scarcer(set.amount(), amount) != set.amount();
    return set == Offered.NOTHING || scarcer ? new Offered(amount, load, 'l') : set;
  }
}
