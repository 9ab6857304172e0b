package io.millrace.schedulers.core.state.reservation;

import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schemas.common.NodeShare;
import java.util.List;
import java.util.Set;

/**
 * A reservation as its last record tells it.
 *
 * @param name of its queue, as users know it: R7
 * @param owner who has asked for it
 * @param revision that a proposal has to name
 * @param window that is booked, or that is asked for while nothing is
 * @param wish what a scheduler has to decide; null for nothing
 */
public record KnownReservation(
    long number,
    String name,
    String owner,
    String partition,
    long revision,
    ReservationWindow window,
    Undecided wish) {

  /** A time: {@code fromMs} included, {@code toMs} not. */
  public record ReservationWindow(long fromMs, long toMs) {}

  /** What a reservation needs a decision for. */
  public enum ReservationNeed {
    /** It has no nodes yet. */
    NEW,
    /** Another window or request than it has. */
    CHANGE,
    /** Other nodes in the place of those that it has lost. */
    REPLACEMENT
  }

  /**
   * What a scheduler has to decide.
   *
   * @param request chunks and place
   * @param windows that are wanted: of a standing one those of all its occurrences, in order
   * @param patient true when it waits for room instead of being denied
   * @param shares that it has now; empty for a new one
   * @param lost names of nodes that it can no longer use
   * @param soonest true when it is to begin as soon as there is room; the window is the latest then
   * @param over true when it may lie over runs of others, which give way when it begins
   * @param besides true when what is decided is held beside what it has: a transaction of it
   */
  public record Undecided(
      ReservationNeed kind,
      RequestShape request,
      List<ReservationWindow> windows,
      boolean patient,
      List<NodeShare> shares,
      Set<String> lost,
      boolean soonest,
      boolean over,
      boolean besides) {

    /** The first one. */
    public ReservationWindow window() {
      return windows.get(0);
    }
  }
}
