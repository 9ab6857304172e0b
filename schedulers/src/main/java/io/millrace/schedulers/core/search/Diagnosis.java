package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.model.Shortage.ShortageAmounts;
import io.millrace.schedulers.core.model.Shortage.ShortageWatch;
import io.millrace.schedulers.core.model.Shortage.Watch;
import io.millrace.schedulers.core.state.node.Booked;
import io.millrace.schedulers.core.state.node.BookingCalendar;
import io.millrace.schedulers.core.state.node.FreeTree;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.PlannedStart;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Says why a request does not fit a pool now, and what has to change first. */
public final class Diagnosis {

  private static final int RECENT_MAX = 1024;

  private final RoomWindow window;
  private final FirstFitSearch fit;
  private final BookingCalendar bookings;
  private final WorkCount work;
  private final NodeDiagnosis onNodes;
  private final PlaceDiagnosis onPlaces;
  private final SetDiagnosis onSets;
  private final Map<Shortage, Shortage> recent = new HashMap<>();

  Diagnosis(
      RoomWindow window,
      FirstFitSearch fit,
      BookingCalendar bookings,
      ResourceNames names,
      WorkCount work,
      SetSearch sets) {
    this.window = window;
    this.fit = fit;
    this.bookings = bookings;
    this.work = work;
    this.onNodes = new NodeDiagnosis(window, names, work);
    this.onPlaces = new PlaceDiagnosis(window, fit, names, work);
    this.onSets = new SetDiagnosis(window, names, sets);
  }

  /** True when the sums and maxima alone show that there is too little, now or for ever. */
  public boolean isShort(RequestShape shape, Pool pool) {
    FreeTree free = pool.free();
    for (int i = 0; i < shape.totals(); i++) {
      if (shape.totalAmount(i) > free.sum(shape.totalResource(i))) {
        return true;
      }
    }
    for (ChunkKind kind : shape.kinds()) {
      for (int i = 0; i < kind.resources().length; i++) {
        if (kind.amounts()[i] > free.most(kind.resources()[i])) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Why a class cannot start now.
   *
   * @param endMs when a job of it would end
   * @param promises true when there are promises that it could delay
   */
  public Shortage of(RequestShape shape, Pool pool, long endMs, boolean promises) {
    return shared(find(shape, pool, endMs, promises));
  }

  /** The wait of a job whose promised start has moved for a reservation. */
  public Shortage moved(RequestShape shape, String reservation) {
    return shared(conflict(ReasonCode.BOOKED, reservation, shape, Shortage.UNKNOWN));
  }

  /** Returns the kept instance of an equal shortage, since many classes wait for the same thing. */
  private Shortage shared(Shortage shortage) {
    Shortage known = recent.putIfAbsent(shortage, shortage);
    if (recent.size() > RECENT_MAX) {
      recent.clear();
    }
    return known == null ? shortage : known;
  }

  private Shortage find(RequestShape shape, Pool pool, long endMs, boolean promises) {
    // A property that no node offers is the reason to report, even while everything is busy.
    for (ChunkKind kind : shape.kinds()) {
      Shortage property = onNodes.property(kind, pool);
      if (property != null) {
        return property;
      }
    }
    Shortage atOnce = atOnce(shape, pool);
    if (atOnce != null) {
      return atOnce;
    }
    Shortage never = onSets.never(shape, pool);
    if (never != null) {
      return never;
    }
    if (bookings.firstMs() < endMs) {
      Shortage booked = booked(shape, pool, endMs);
      if (booked != null) {
        return booked;
      }
    }
    if (promises) {
      Shortage delay = delay(shape, pool, endMs);
      if (delay != null) {
        return delay;
      }
    }
    window.now(endMs, true);
    return afterTry(shape, pool);
  }

  /** A shortage that the sums and maxima of free amounts already show; null when they show none. */
  private Shortage atOnce(RequestShape shape, Pool pool) {
    FreeTree free = pool.free();
    for (int i = 0; i < shape.totals(); i++) {
      int resource = shape.totalResource(i);
      long needed = shape.totalAmount(i);
      long total = pool.sumCapacity(resource);
      if (needed > total) {
        return onNodes.never(resource, needed, free.sum(resource), total);
      }
    }
    for (ChunkKind kind : shape.kinds()) {
      for (int i = 0; i < kind.resources().length; i++) {
        int resource = kind.resources()[i];
        long largest = pool.mostCapacity(resource);
        if (kind.amounts()[i] > largest) {
          return onNodes.never(resource, kind.amounts()[i], free.most(resource), largest);
        }
      }
    }
    for (int i = 0; i < shape.totals(); i++) {
      int resource = shape.totalResource(i);
      long needed = shape.totalAmount(i);
      if (needed > free.sum(resource)) {
        ShortageAmounts numbers =
            new ShortageAmounts(needed, free.sum(resource), pool.sumCapacity(resource));
        Watch watch = new Watch(ShortageWatch.TOTAL, resource, needed);
        return onNodes.shortage(ReasonCode.TOTAL_INSUFFICIENT, resource, numbers, watch);
      }
    }
    for (ChunkKind kind : shape.kinds()) {
      for (int i = 0; i < kind.resources().length; i++) {
        int resource = kind.resources()[i];
        if (kind.amounts()[i] > free.most(resource)) {
          long largest = pool.mostCapacity(resource);
          return onNodes.onNode(
              resource, new ShortageAmounts(kind.amounts()[i], free.most(resource), largest));
        }
      }
    }
    return null;
  }

  /**
   * The promise that a job of the class would delay, if it fits apart from promises; null when
   * there is none.
   */
  private Shortage delay(RequestShape shape, Pool pool, long endMs) {
    window.now(endMs, true);
    JobAllocation held = fit.place(shape, pool, pool.free());
    if (held == null) {
      return null;
    }
    window.now(endMs, false);
    PlannedStart first = null;
    for (NodeAllocation take : held.takes()) {
      if (!window.open(take.node(), held.asked()) || !window.fits(take.node(), take.amounts())) {
        PlannedStart here = take.node().promises().first(Long.MIN_VALUE, endMs);
        if (here != null && (first == null || PlannedStart.before(here, first))) {
          first = here;
        }
      }
    }
    if (first == null) {
      return null;
    }
    return conflict(
        ReasonCode.WOULD_DELAY, Long.toString(first.jobNumber()), shape, first.fromMs());
  }

  /** The job would be in the way of something that is planned; it waits for more of any node. */
  private static Shortage conflict(
      ReasonCode code, String subject, RequestShape shape, long untilMs) {
    int resource = shape.kinds()[0].resources().length == 0 ? 0 : shape.kinds()[0].resources()[0];
    Watch watch = new Watch(ShortageWatch.NODE, resource, shape.leastAmount(resource));
    return new Shortage(code, subject, ShortageAmounts.NONE, watch, untilMs);
  }

  /**
   * The first booking that a job of the class would run into, if it fits apart from bookings and
   * promises; null when there is none.
   */
  private Shortage booked(RequestShape shape, Pool pool, long endMs) {
    window.now(endMs, true);
    window.withoutBookings();
    JobAllocation held = fit.place(shape, pool, pool.free());
    window.now(endMs, true);
    if (held == null || fit.place(shape, pool, pool.free()) != null) {
      return null;
    }
    Booked first = inTheWay(held, Long.MIN_VALUE, endMs);
    return first == null ? null : conflict(ReasonCode.BOOKED, first.name(), shape, first.toMs());
  }

  /** The first booking for which a job cannot have its nodes between two times; null for none. */
  public Booked inTheWay(JobAllocation held, long fromMs, long endMs) {
    Set<NodeState> without = new HashSet<>();
    for (NodeAllocation take : held.takes()) {
      if (!window.open(take.node(), held.asked()) || !window.fits(take.node(), take.amounts())) {
        without.add(take.node());
      }
    }
    for (int i = 0; i < bookings.size() && bookings.byStart(i).fromMs() < endMs; i++) {
      Booked booked = bookings.byStart(i);
      work.add(1);
      if (booked.toMs() > fromMs && without.stream().anyMatch(booked::has)) {
        return booked;
      }
    }
    return null;
  }

  /** Why placing failed although {@link #atOnce} saw no obstacle. */
  private Shortage afterTry(RequestShape shape, Pool pool) {
    if (shape.grouped()) {
      Shortage inSets = onSets.insufficient(shape, pool);
      if (inSets != null) {
        return inSets;
      }
    }
    for (ChunkKind kind : shape.kinds()) {
      Shortage amount = onNodes.amount(shape, kind, pool);
      if (amount != null) {
        return amount;
      }
    }
    Shortage onPlace = onPlaces.of(shape, pool);
    boolean fewer = onPlace.numbers().free() < onPlace.numbers().needed();
    Shortage inClusters = fewer ? null : onSets.insufficientInClusters(shape, pool);
    return inClusters == null ? onPlace : inClusters;
  }
}
