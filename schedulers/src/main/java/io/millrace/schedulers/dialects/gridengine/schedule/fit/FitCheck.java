package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.dialects.gridengine.schedule.fit.Demand.DemandMatch;
import io.millrace.schedulers.gridengine.language.cluster.Level;

/**
 * Compares a job's needs with one level. A requested attribute that the level does not offer must
 * be offered by another level; the queue instance is the last one.
 */
public final class FitCheck {

  private final LevelResources global;

  public FitCheck(LevelResources global) {
    this.global = global;
  }

  /** Whether the job fits now, fits at another time only, or never fits. */
  public enum FitOutcome {
    FITS,
    LATER,
    NEVER
  }

  /**
   * @param because why it does not fit; null when it does
   */
  public record FitAnswer(FitOutcome outcome, Obstacle because) {

    static final FitAnswer FITS = new FitAnswer(FitOutcome.FITS, null);

    static FitAnswer never(Obstacle because) {
      return new FitAnswer(FitOutcome.NEVER, because);
    }

    public boolean fits() {
      return outcome == FitOutcome.FITS;
    }
  }

  /**
   * Whether one slot fits within a time span.
   *
   * @param host of the queue instance, when the holder is one
   */
  public FitAnswer within(
      LevelResources holder, LevelResources host, Category category, TimeSpan span) {
    for (Demand demand : holder.unasked()) {
      FitAnswer answer =
          category.requests(demand) ? FitAnswer.FITS : one(holder, host, demand, span);
      if (!answer.fits()) {
        return answer;
      }
    }
    for (Demand demand : category.asked()) {
      FitAnswer answer = one(holder, host, demand, span);
      if (!answer.fits()) {
        return answer;
      }
    }
    return FitAnswer.FITS;
  }

  private FitAnswer one(LevelResources holder, LevelResources host, Demand demand, TimeSpan span) {
    Obstacle refusal = refusal(holder, host, demand, false);
    if (refusal != null) {
      return FitAnswer.never(refusal);
    }
    return holder.limits(demand) ? consumable(holder, demand, span) : FitAnswer.FITS;
  }

  /** Why a demand can never be met at this level, whatever is in use; null when it can. */
  private Obstacle refusal(
      LevelResources holder, LevelResources host, Demand demand, boolean parallel) {
    DemandMatch match = demand.match(holder);
    if (match == DemandMatch.REFUSED) {
      return holder.findings().refused(demand, parallel);
    }
    boolean unknown =
        match == DemandMatch.ABSENT
            && holder.level() == Level.QUEUE
            && demand.match(global) != DemandMatch.MET
            && demand.match(host) != DemandMatch.MET;
    return unknown ? holder.findings().unknown(demand, parallel) : null;
  }

  /** Whether the level can give a slot when nothing is in use. */
  public boolean possible(LevelResources holder, LevelResources host, Category category) {
    return refused(holder, host, category, false) == null;
  }

  /** Whether a place can give the master of a parallel job its slot when nothing is in use. */
  public boolean possible(Place place, Category category) {
    return possible(place.host(), place.host(), category)
        && possible(place.own(), place.host(), category);
  }

  /**
   * Whether the level can never give a slot of a parallel job. Consumables taken once per job are
   * left out, since only the master's place needs them.
   */
  public boolean impossible(LevelResources holder, LevelResources host, Category category) {
    return refused(holder, host, category, holder.level() != Level.GLOBAL) != null;
  }

  private Demand refused(
      LevelResources holder, LevelResources host, Category category, boolean exceptOnce) {
    for (Demand demand : holder.unasked()) {
      if (!category.requests(demand) && refusal(holder, host, demand, true) != null) {
        return demand;
      }
    }
    for (Demand demand : category.asked()) {
      boolean counts = !exceptOnce || !demand.complex().perJob();
      if (counts && refusal(holder, host, demand, true) != null) {
        return demand;
      }
    }
    return null;
  }

  private static FitAnswer consumable(LevelResources holder, Demand demand, TimeSpan span) {
    long left = holder.left(demand, span);
    if (left >= demand.units()) {
      return FitAnswer.FITS;
    }
    boolean never = holder.container().leftForGood(demand.resource()) < demand.units();
    boolean reserved =
        holder.left(demand, new TimeSpan(span.from(), span.from())) >= demand.units();
    return new FitAnswer(
        never ? FitOutcome.NEVER : FitOutcome.LATER,
        holder.findings().shortage(demand, left, reserved, false));
  }

  /**
   * Slots of a parallel job that a container has room for.
   *
   * @param count {@link Integer#MAX_VALUE} when nothing limits them
   * @param master whether what is taken once for the job is available here
   * @param because why there is none; null when there is
   */
  public record Room(int count, boolean master, Obstacle because) {}

  public Room room(LevelResources holder, LevelResources host, Category category, TimeSpan span) {
    Room room = new Room(Integer.MAX_VALUE, true, null);
    for (Demand demand : holder.unasked()) {
      if (!category.requests(demand) && room.because() == null) {
        room = room(room, holder, host, demand, span);
      }
    }
    for (Demand demand : category.asked()) {
      if (room.because() == null) {
        room = room(room, holder, host, demand, span);
      }
    }
    return room;
  }

  private Room room(
      Room so, LevelResources holder, LevelResources host, Demand demand, TimeSpan span) {
    boolean once = demand.complex().perJob() && holder.level() != Level.GLOBAL;
    Obstacle refusal = refusal(holder, host, demand, true);
    if (refusal != null) {
      return once && demand.asked()
          ? new Room(so.count(), false, null)
          : new Room(0, false, refusal);
    }
    if (!holder.limits(demand)) {
      return so;
    }
    long left = holder.left(demand, span);
    int slots = demand.slots(left);
    if (once) {
      return slots > 0 ? so : new Room(so.count(), false, null);
    }
    if (slots < 1) {
      return new Room(0, false, holder.findings().shortage(demand, left, false, true));
    }
    boolean counts = !demand.complex().perJob() && slots < so.count();
    return counts ? new Room(slots, so.master(), null) : so;
  }

  /**
   * Number of soft requests that the levels of a place do not meet. One that no level offers counts
   * once; one that a level refuses counts at that level.
   */
  public int violations(Category category, Place place, TimeSpan span) {
    int violations = 0;
    for (Demand demand : category.soft()) {
      boolean met = false;
      for (LevelResources holder : new LevelResources[] {global, place.host(), place.own()}) {
        DemandMatch match = demand.match(holder);
        boolean available =
            match == DemandMatch.MET
                && (!holder.limits(demand) || holder.left(demand, span) >= demand.units());
        met |= available;
        boolean lacking = holder.level() == Level.QUEUE && !met;
        if (!available && (match == DemandMatch.REFUSED || lacking)) {
          violations++;
        }
      }
    }
    return violations;
  }
}
