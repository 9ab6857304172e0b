package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.Relation;
import java.util.List;
import java.util.Optional;

/**
 * How many slots of a parallel job a host has room for by the load thresholds of its queue
 * instances: of a consumable, as many as leave what the threshold says; of a load that jobs add to,
 * as many as reach it. A sequential job may reach any.
 */
final class ThresholdRoom {

  private final Site site;
  private final HostLoads loads;
  private final long now;
  private final boolean any;

  ThresholdRoom(Site site, HostLoads loads, long now) {
    this.site = site;
    this.loads = loads;
    this.now = now;
    this.any = site.places().stream().anyMatch(place -> !loads.thresholds(place).isEmpty());
  }

  /** Whether there are thresholds at all. */
  boolean limits() {
    return any;
  }

  /**
   * @param places the host's queue instances that take part; the one with most room counts
   */
  int most(List<Place> places, Category category, Span span) {
    int most = 0;
    for (Place place : places) {
      int room = Integer.MAX_VALUE;
      for (HostLoads.Threshold threshold : loads.thresholds(place)) {
        room = Math.min(room, room(place, threshold, category, span));
      }
      most = Math.max(most, room);
    }
    return most;
  }

  private int room(Place place, HostLoads.Threshold threshold, Category category, Span span) {
    Complex complex = threshold.complex();
    boolean ordered =
        complex.relation() != Relation.EQUAL
            && complex.relation() != Relation.UNEQUAL
            && complex.relation() != Relation.EXCLUSIVE;
    double step =
        complex.consumable()
            ? category.needs().amount(complex)
            : loads.adjustmentEach(place.hostNumber(), complex);
    if (!ordered || step == 0 || threshold.limit().isEmpty()) {
      return Integer.MAX_VALUE;
    }
    Optional<Double> value =
        complex.consumable() ? left(place, complex, span) : loads.reported(place, complex);
    if (value.isEmpty()) {
      return complex.consumable() ? 0 : Integer.MAX_VALUE;
    }
    double distance = value.get() - threshold.limit().get();
    boolean rising =
        complex.relation() == Relation.AT_LEAST || complex.relation() == Relation.ABOVE;
    int steps = (int) ((rising ? -distance : distance) / step);
    return complex.consumable() ? steps : steps + 1;
  }

  /** What is left of a consumable throughout a span; for one that begins now, what is left now. */
  private Optional<Double> left(Place place, Complex complex, Span span) {
    if (span.from() == now) {
      return loads.value(place, complex);
    }
    Optional<Double> scarcest = Optional.empty();
    int resource = site.attributes().resource(complex);
    for (Holder holder : List.of(site.global(), place.host(), place.own())) {
      if (holder.container().limits(resource)) {
        long units = holder.container().left(resource, span.from(), span.to());
        Optional<Double> here = Optional.of(Attributes.amount(complex, units));
        scarcest = HostLoads.scarcer(complex, scarcest, here);
      }
    }
    return scarcest;
  }
}
