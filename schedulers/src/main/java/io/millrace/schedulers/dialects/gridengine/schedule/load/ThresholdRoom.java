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
 * Number of slots of a parallel job that the load thresholds of a host's queue instances allow: for
 * a consumable, as many as leave the threshold's amount; for a load with an adjustment, as many as
 * raise it to the threshold. A sequential job may reach any threshold. The room by loads is the
 * same for all jobs and times of a run, since it follows from the loads reported now; the room by
 * consumables depends on the job and the time span.
 */
public final class ThresholdRoom {

  private final PlannedCluster site;
  private final HostLoads loads;
  private final long now;

  /** Slots allowed by loads, by number of the queue instance. */
  private final int[] byLoads;

  /** Thresholds of consumables that can limit slots, by number of the queue instance. */
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

  /** Whether a threshold of a load can limit slots. */
  public boolean ofLoads() {
    return ofLoads;
  }

  /**
   * Whether a job takes a consumable that has a threshold, so that its room changes as the use
   * does.
   */
  public boolean moveWith(Category category) {
    return consumables.stream().anyMatch(complex -> category.needs().amount(complex) != 0);
  }

  /**
   * @param places queue instances of the host that take part; the one with the most room counts
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

  /**
   * Amount of a consumable left throughout a time span; for a span that begins now, the amount left
   * now.
   */
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
