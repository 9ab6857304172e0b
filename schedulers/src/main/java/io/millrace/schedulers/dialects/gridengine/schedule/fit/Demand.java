package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.Complex.Requestable;
import io.millrace.schedulers.gridengine.language.cluster.Relation;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import java.util.HashMap;
import java.util.Map;

/** What one slot of a job asks of every level for one attribute. */
final class Demand {

  private final Complex complex;
  private final String text;
  private final double amount;
  private final boolean asked;
  private final int number;
  private final int resource;
  private final long units;

  /** Cached results of comparing the requested text with offered texts. */
  private final Map<String, Boolean> fits = new HashMap<>();

  /**
   * @param asked whether the job requested it, rather than taking it unasked
   */
  Demand(Complex complex, String text, double amount, boolean asked, Attributes attributes) {
    this.complex = complex;
    this.text = text;
    this.amount = amount;
    this.asked = asked;
    this.number = attributes.number(complex);
    this.resource = attributes.resource(complex);
    this.units = attributes.taken(complex, amount);
  }

  static Demand of(AttributeRequest request, Attributes attributes) {
    return new Demand(request.complex(), request.text(), request.amount(), true, attributes);
  }

  Complex complex() {
    return complex;
  }

  /** Number of the attribute in the complex. */
  int number() {
    return number;
  }

  /** Number of the attribute in the timeline. */
  int resource() {
    return resource;
  }

  /** Units of the timeline that a slot takes. */
  long units() {
    return units;
  }

  boolean asked() {
    return asked;
  }

  boolean exclusive() {
    return complex.relation() == Relation.EXCLUSIVE;
  }

  /** Number of slots for which this many free units are enough. */
  int slots(long left) {
    if (units <= 0 || units == Attributes.WHOLE && exclusive()) {
      return left >= units ? Integer.MAX_VALUE : 0;
    }
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, left / units));
  }

  /** How a level meets a demand when nothing is in use. */
  enum DemandMatch {
    MET,
    REFUSED,
    ABSENT
  }

  DemandMatch match(LevelResources holder) {
    LevelResources.Offered offered = holder.offered(this);
    if (offered == LevelResources.Offered.NOTHING) {
      return DemandMatch.ABSENT;
    }
    if (asked && complex.use().requestable() == Requestable.NO) {
      return DemandMatch.REFUSED;
    }
    boolean met =
        complex.type().numeric()
            ? complex.relation().holds(amount, offered.amount())
            : fits.computeIfAbsent(offered.text(), offer -> complex.matches(text, offer));
    return met ? DemandMatch.MET : DemandMatch.REFUSED;
  }

  /** Why the level refuses a demand that does not match. */
  String refusal(LevelResources holder) {
    if (asked && complex.use().requestable() == Requestable.NO) {
      return "job requests non requestable resource \"" + complex.name() + "\"";
    }
    LevelResources.Offered offered = holder.offered(this);
    String shown = complex.type().numeric() ? complex.shown(offered.amount()) : offered.text();
    return offer(holder, offered.kind(), shown);
  }

  /** Why too little of a consumable is left for a demand. */
  String shortage(LevelResources holder, long left, boolean reserved) {
    if (exclusive()) {
      return "exclusive resource (" + complex.name() + ") is already in use";
    }
    String shown = Numbers.six(Attributes.amount(complex, left));
    return offer(holder, 'c', shown) + (reserved ? " due to a reservation" : "");
  }

  private String offer(LevelResources holder, char kind, String shown) {
    String unasked = asked || complex.name().equals("slots") ? "" : "for default request ";
    return unasked
        + "it offers only "
        + holder.level().dominance()
        + kind
        + ":"
        + complex.name()
        + "="
        + shown;
  }
}
