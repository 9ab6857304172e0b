package io.millrace.schedulers.dialects.gridengine.schedule.load;

import io.millrace.schedulers.dialects.gridengine.schedule.fit.Attributes;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Category;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.LevelResources;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Place;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.TimeSpan;
import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.Relation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How many slots of a parallel job a host has room for by the load thresholds of its queue
 * instances: of a consumable, as many as leave what the threshold says; of a load that jobs add to,
 * as many as reach it. A sequential job may reach any. What loads leave room for is the same for
 * all jobs and times of a run, since it is what hosts report now; only thresholds of consumables
 * are asked for a job and a span.
 */
public final class ThresholdRoom {

  private final PlannedCluster site;
  private final HostLoads loads;
  private final long now;

  /** By number of the queue instance. */
  private final int[] byLoads;

  /** By number of the queue instance: those of consumables that can limit. */
  private final List<List<HostLoads.Threshold>> byUse = new ArrayList<>();

  private final Set<Complex> consumables = new HashSet<>();
  private boolean ofLoads;

  public ThresholdRoom(PlannedCluster site, HostLoads loads, long now) {
    this.site = site;
    this.loads = loads;
    this.now = now;
    List<Place> places = site.places();
    this.byLoads = new int[places.size()];
    for (Place place : places) {
      byUse.add(new ArrayList<>(0));
      byLoads[place.number()] = Integer.MAX_VALUE;
      loads.thresholds(place).stream()
          .filter(ThresholdRoom::ordered)
          .forEach(threshold -> note(place, threshold));
    }
  }

  private static boolean ordered(HostLoads.Threshold threshold) {
    Relation relation = threshold.complex().relation();
    return threshold.limit().isPresent()
        && relation != Relation.EQUAL
        && relation != Relation.UNEQUAL
        && relation != Relation.EXCLUSIVE;
  }

  private void note(Place place, HostLoads.Threshold threshold) {
    Complex complex = threshold.complex();
    if (complex.consumable()) {
      byUse.get(place.number()).add(threshold);
      consumables.add(complex);
      return;
    }
    double step = loads.adjustmentEach(place.hostNumber(), complex);
    Optional<Double> value = step == 0 ? Optional.empty() : loads.reported(place, complex);
    if (value.isPresent()) {
      ofLoads = true;
      long room = 1L + steps(threshold, value.get(), step);
      byLoads[place.number()] = (int) Math.min(byLoads[place.number()], room);
    }
  }

  private static int steps(HostLoads.Threshold threshold, double value, double step) {
    Relation relation = threshold.complex().relation();
    double distance = value - threshold.limit().get();
    boolean rising = relation == Relation.AT_LEAST || relation == Relation.ABOVE;
    return (int) ((rising ? -distance : distance) / step);
  }

  /** Whether any threshold can limit the slots of a job. */
  public boolean limits() {
    return ofLoads || !consumables.isEmpty();
  }

  /** Whether any load does. */
  public boolean ofLoads() {
    return ofLoads;
  }

  /**
   * Whether a job takes of a consumable that is a threshold: its room is another as use changes.
   */
  public boolean moveWith(Category category) {
    return consumables.stream().anyMatch(complex -> category.needs().amount(complex) != 0);
  }

  /**
   * @param places the host's queue instances that take part; the one with most room counts
   */
  public int byLoads(List<Place> places) {
    int most = 0;
    for (Place place : places) {
      most = Math.max(most, byLoads[place.number()]);
    }
    return most;
  }

  /**
   * By loads and consumables.
   *
   * @param places the host's queue instances that take part; the one with most room counts
   */
  public int most(List<Place> places, Category category, TimeSpan span) {
    int most = 0;
    for (Place place : places) {
      int room = byLoads[place.number()];
      for (HostLoads.Threshold threshold : byUse.get(place.number())) {
        double step = category.needs().amount(threshold.complex());
        if (step != 0) {
          Optional<Double> left = left(place, threshold.complex(), span);
          room = Math.min(room, left.map(value -> steps(threshold, value, step)).orElse(0));
        }
      }
      most = Math.max(most, room);
    }
    return most;
  }

  /** What is left of a consumable throughout a span; for one that begins now, what is left now. */
  private Optional<Double> left(Place place, Complex complex, TimeSpan span) {
    if (span.from() == now) {
      return loads.value(place, complex);
    }
    Optional<Double> scarcest = Optional.empty();
    int resource = site.attributes().resource(complex);
    for (LevelResources holder : List.of(site.global(), place.host(), place.own())) {
      if (holder.container().limits(resource)) {
        long units = holder.container().left(resource, span.from(), span.to());
        Optional<Double> here = Optional.of(Attributes.amount(complex, units));
        scarcest = HostLoads.scarcer(complex, scarcest, here);
      }
    }
    return scarcest;
  }
}
