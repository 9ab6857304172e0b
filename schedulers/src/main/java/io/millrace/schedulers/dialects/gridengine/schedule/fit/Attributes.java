package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.reservations.timeline.Claim;
import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.cluster.Relation;
import io.millrace.schedulers.gridengine.language.cluster.ValueType;
import io.millrace.schedulers.gridengine.language.request.Needs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The attributes of a complex by number, and the consumables among them by their numbers in the
 * timeline. The timeline counts whole units; amounts that are no whole numbers are counted in
 * millionths, as they are printed.
 */
public final class Attributes {

  /** Stands for the timeline number of an attribute that is not a consumable. */
  static final int NO_RESOURCE = -1;

  /**
   * Units of an exclusive attribute: an exclusive job takes all of them, any other job one per
   * slot.
   */
  static final long WHOLE = 1L << 40;

  private static final double MILLIONTHS = 1e6;

  private final Complexes complexes;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Complex> consumables = new ArrayList<>();
  private final int[] resources;

  public Attributes(Complexes complexes) {
    this.complexes = complexes;
    this.resources = new int[complexes.all().size()];
    for (Complex complex : complexes.all()) {
      int number = numbers.size();
      numbers.put(complex.name(), number);
      resources[number] = complex.consumable() ? consumables.size() : NO_RESOURCE;
      if (complex.consumable()) {
        consumables.add(complex);
      }
    }
  }

  Complex named(String name) {
    return complexes.find(name).orElseThrow();
  }

  Complex slots() {
    return complexes.slots();
  }

  /** Number of the slots in the timeline. */
  public int slotsResource() {
    return resource(slots());
  }

  /** Number of attributes. */
  int count() {
    return resources.length;
  }

  int number(Complex complex) {
    return numbers.get(complex.name());
  }

  /** Number of the attribute in the timeline. */
  public int resource(Complex complex) {
    return resources[number(complex)];
  }

  /** Number of consumables. */
  int consumables() {
    return consumables.size();
  }

  /** An exclusive attribute of which a part is taken has room only for those who share it. */
  long capacity(Complex complex, double amount) {
    if (complex.relation() != Relation.EXCLUSIVE) {
      return units(complex, amount);
    }
    if (amount < 0) {
      return 0;
    }
    return amount > 0 && amount < 1 ? WHOLE - 1 : WHOLE;
  }

  /** Timeline units that a request of an amount takes. */
  public long taken(Complex complex, double amount) {
    if (complex.relation() == Relation.EXCLUSIVE) {
      return amount >= 1 ? WHOLE : 1;
    }
    return units(complex, amount);
  }

  private static long units(Complex complex, double amount) {
    return Math.round(amount * scale(complex));
  }

  public static double amount(Complex complex, long units) {
    return units / scale(complex);
  }

  private static double scale(Complex complex) {
    return complex.type() == ValueType.DOUBLE ? MILLIONTHS : 1;
  }

  /** Timeline units of all consumables that a job takes, requested or by default. */
  Claim claim(Needs needs) {
    long[] amounts = new long[consumables.size()];
    Claim.AmountCounting[] shares = new Claim.AmountCounting[consumables.size()];
    for (int i = 0; i < amounts.length; i++) {
      Complex complex = consumables.get(i);
      amounts[i] = taken(complex, needs.amount(complex));
      if (complex.relation() == Relation.EXCLUSIVE && amounts[i] == WHOLE) {
        shares[i] = Claim.AmountCounting.WHOLE;
      } else {
        shares[i] = complex.perJob() ? Claim.AmountCounting.ONCE : Claim.AmountCounting.EACH_SLOT;
      }
    }
    return Claim.of(amounts, shares);
  }
}
