package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.reservations.timeline.Container;
import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.Level;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.cluster.Relation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Attributes of one level: an environment, the cluster, a host or a queue instance. How much of its
 * consumables is in use is kept in the level's container in the timeline.
 */
public final class LevelResources {

  private final Level level;
  private final String name;
  private final OfferedAttributes offers;
  private final Attributes attributes;
  private final Container container;

  /** Consumables of the level in the order of its text. */
  private final List<Complex> consumables = new ArrayList<>();

  private final Demand[] unasked;

  /** Offered values by attribute number, filled in as they are asked for. */
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

  /** Demands that every slot makes by default: for a slot, then for the default requests. */
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

  /** Default demands per slot, except for attributes that the job requests itself. */
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
   * An attribute's value at this level when nothing is in use.
   *
   * @param amount 0 for attributes that are no numbers
   * @param kind c consumable, f fixed, l load
   */
  record Offered(double amount, String text, char kind) {

    static final Offered NOTHING = new Offered(0, "", ' ');
  }

  /** The offer for a demand: the scarcer of a configured and a reported value. */
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
