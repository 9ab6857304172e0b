package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.Complex.Requestable;
import io.millrace.schedulers.dialects.gridengine.cluster.Complexes;
import io.millrace.schedulers.dialects.gridengine.cluster.Relation;
import io.millrace.schedulers.dialects.gridengine.request.Needs;
import io.millrace.schedulers.dialects.gridengine.request.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one slot of a job asks of a container.
 *
 * @param asked whether the job requested it, rather than taking it unasked
 */
record Demand(Complex complex, String text, double amount, boolean asked) {

  static Demand of(ResourceRequest request) {
    return new Demand(request.complex(), request.text(), request.amount(), true);
  }

  /** Slots and default requests as far as the container has them, then all requests. */
  static List<Demand> list(Container container, Needs needs, Complexes complexes) {
    List<Demand> demands = new ArrayList<>();
    if (container.limits(complexes.slots())) {
      demands.add(new Demand(complexes.slots(), "1", 1, false));
    }
    for (String name : container.offers().capacities().keySet()) {
      Complex complex = complexes.find(name).orElseThrow();
      boolean counts = complex.usualAmount() != 0 || complex.relation() == Relation.EXCLUSIVE;
      if (!name.equals("slots") && !needs.requests(complex) && counts) {
        demands.add(new Demand(complex, complex.worth().usual(), complex.usualAmount(), false));
      }
    }
    needs.hard().forEach(request -> demands.add(of(request)));
    return demands;
  }

  /** How a container meets a demand before any use of it. */
  enum Match {
    MET,
    REFUSED,
    ABSENT
  }

  Match match(Container container) {
    Optional<Container.Offered> offered = container.offered(complex);
    if (offered.isEmpty()) {
      return Match.ABSENT;
    }
    if (asked && complex.use().requestable() == Requestable.NO) {
      return Match.REFUSED;
    }
    boolean met =
        complex.type().numeric()
            ? complex.relation().holds(amount, offered.get().amount())
            : complex.matches(text, offered.get().text());
    return met ? Match.MET : Match.REFUSED;
  }

  /** Why a demand that does not match is refused. */
  String refusal(Container container) {
    if (asked && complex.use().requestable() == Requestable.NO) {
      return "job requests non requestable resource \"" + complex.name() + "\"";
    }
    Container.Offered offered = container.offered(complex).orElseThrow();
    String shown = complex.type().numeric() ? complex.shown(offered.amount()) : offered.text();
    return unasked()
        + "it offers only "
        + container.level().dominance()
        + offered.kind()
        + ":"
        + complex.name()
        + "="
        + shown;
  }

  /** Why a consumable does not suffice. */
  String shortage(Container container, double left, boolean reserved) {
    if (complex.relation() == Relation.EXCLUSIVE) {
      return "exclusive resource (" + complex.name() + ") is already in use";
    }
    return unasked()
        + "it offers only "
        + container.level().dominance()
        + "c:"
        + complex.name()
        + "="
        + io.millrace.schedulers.dialects.gridengine.options.Numbers.six(left)
        + (reserved ? " due to a reservation" : "");
  }

  private String unasked() {
    return asked || complex.name().equals("slots") ? "" : "for default request ";
  }

  boolean exclusive() {
    return complex.relation() == Relation.EXCLUSIVE;
  }
}
