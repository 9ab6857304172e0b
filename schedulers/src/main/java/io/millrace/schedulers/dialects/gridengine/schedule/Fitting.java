package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.Complexes;
import io.millrace.schedulers.dialects.gridengine.request.Needs;
import io.millrace.schedulers.dialects.gridengine.request.ResourceRequest;
import io.millrace.schedulers.dialects.gridengine.schedule.Demand.Match;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Holds a job's needs against one container. A request that a container does not know must be met
 * by another level; the names of those that were met are collected on the way from the cluster to
 * the queue instance, where the last chance is.
 */
final class Fitting {

  private final Complexes complexes;

  Fitting(Complexes complexes) {
    this.complexes = complexes;
  }

  /** Whether it fits: so, not at that time, or never. */
  enum Outcome {
    FITS,
    LATER,
    NEVER
  }

  /**
   * @param at the earliest time, when it was asked for; 0 for any
   * @param because why it does not fit
   */
  record Answer(Outcome outcome, long at, String because) {

    static final Answer FITS = new Answer(Outcome.FITS, 0, "");

    boolean fits() {
      return outcome == Outcome.FITS;
    }
  }

  /** One slot within a span. */
  Answer within(Container container, Needs needs, Span span, Set<String> met) {
    for (Demand demand : Demand.list(container, needs, complexes)) {
      Answer answer = staticly(container, demand, met);
      if (answer.fits() && container.limits(demand.complex())) {
        answer = consumable(container, demand, span);
      }
      if (!answer.fits()) {
        return answer;
      }
    }
    return Answer.FITS;
  }

  /** One slot as early as it lasts: after the last time at which too much is used. */
  Answer earliest(Container container, Needs needs, Set<String> met) {
    long latest = 0;
    for (Demand demand : Demand.list(container, needs, complexes)) {
      Answer answer = staticly(container, demand, met);
      if (!answer.fits()) {
        return answer;
      }
      if (container.limits(demand.complex())) {
        OptionalLong at = lasting(container, demand);
        if (at.isEmpty()) {
          return new Answer(Outcome.NEVER, 0, "");
        }
        latest = Math.max(latest, at.getAsLong());
      }
    }
    return new Answer(Outcome.FITS, latest, "");
  }

  private Answer staticly(Container container, Demand demand, Set<String> met) {
    Match match = demand.match(container);
    String name = demand.complex().name();
    if (match == Match.REFUSED) {
      return new Answer(Outcome.NEVER, 0, demand.refusal(container));
    }
    if (match == Match.MET && demand.asked()) {
      met.add(name);
    }
    if (match == Match.ABSENT && container.level() == Level.QUEUE && !met.contains(name)) {
      return new Answer(Outcome.NEVER, 0, "job requests unknown resource (" + name + ")");
    }
    return Answer.FITS;
  }

  private Answer consumable(Container container, Demand demand, Span span) {
    double left = left(container, demand, span);
    double needed = demand.exclusive() ? 0 : demand.amount();
    if (!Usage.above(needed, left)) {
      return Answer.FITS;
    }
    boolean never = Usage.above(needed, left(container, demand, Span.AT_THE_END));
    double soon = left(container, demand, new Span(span.from(), span.from()));
    return new Answer(
        never ? Outcome.NEVER : Outcome.LATER,
        0,
        demand.shortage(container, left, !Usage.above(needed, soon)));
  }

  /** What is left; of an exclusive attribute 0 when nobody is in the way, else less. */
  private double left(Container container, Demand demand, Span span) {
    if (!demand.exclusive()) {
      return container.left(demand.complex(), span);
    }
    double alone = span.used(container.usage(demand.complex()));
    double others = demand.amount() > 0 ? span.used(container.shared(demand.complex())) : 0;
    return -Math.max(alone, others);
  }

  private OptionalLong lasting(Container container, Demand demand) {
    Complex complex = demand.complex();
    if (!demand.exclusive()) {
      double most = container.capacity(complex) - demand.amount();
      return most < 0 ? OptionalLong.empty() : container.usage(complex).lastingBelow(most);
    }
    OptionalLong alone = container.usage(complex).lastingBelow(0);
    OptionalLong others = container.shared(complex).lastingBelow(0);
    if (alone.isEmpty() || demand.amount() == 0) {
      return alone;
    }
    return others.isEmpty()
        ? others
        : OptionalLong.of(Math.max(alone.getAsLong(), others.getAsLong()));
  }

  /**
   * Slots of a parallel job that a container has room for.
   *
   * @param count {@link Integer#MAX_VALUE} when nothing limits them
   * @param master whether what is taken once for the job is available here
   * @param because why there is none, else empty
   */
  record Room(int count, boolean master, String because) {}

  Room room(Container container, Needs needs, Span span, Set<String> met) {
    int count = Integer.MAX_VALUE;
    boolean master = true;
    for (Demand demand : Demand.list(container, needs, complexes)) {
      Answer answer = staticly(container, demand, met);
      boolean once = demand.complex().perJob() && container.level() != Level.GLOBAL;
      if (!answer.fits() && !(once && demand.asked())) {
        return new Room(0, false, answer.because());
      }
      if (!answer.fits()) {
        master = false;
      } else if (container.limits(demand.complex())) {
        int slots = slots(container, demand, span);
        if (once) {
          master &= slots > 0;
        } else if (slots < 1) {
          double left = left(container, demand, span);
          return new Room(0, false, demand.shortage(container, left, false));
        } else {
          count = Math.min(count, demand.complex().perJob() ? Integer.MAX_VALUE : slots);
        }
      }
    }
    return new Room(count, master, "");
  }

  private int slots(Container container, Demand demand, Span span) {
    double left = left(container, demand, span);
    if (demand.exclusive()) {
      return left < 0 ? 0 : Integer.MAX_VALUE;
    }
    if (demand.amount() <= 0) {
      return Integer.MAX_VALUE;
    }
    return (int) Math.max(0, Math.floor(left / demand.amount() + 1e-9));
  }

  /**
   * Soft requests that a container does not meet. One that no level knows counts at the queue; one
   * that a level refuses counts there.
   */
  int violations(Container container, Needs needs, Span span, Set<String> met) {
    int violations = 0;
    for (ResourceRequest request : needs.soft()) {
      Demand demand = Demand.of(request);
      Match match = demand.match(container);
      boolean available =
          match == Match.MET
              && (!container.limits(demand.complex())
                  || consumable(container, demand, span).fits());
      if (available) {
        met.add(request.complex().name());
      } else if (match == Match.REFUSED) {
        violations++;
      } else if (container.level() == Level.QUEUE && !met.contains(request.complex().name())) {
        violations++;
      }
    }
    return violations;
  }
}
