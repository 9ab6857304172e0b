package io.millrace.server.core.reservation;

import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.fact.ReservationClosing;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.UsualOccurrence;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.reservation.past.PastOccurrences;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ReservationWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Standing reservations: the same again at other times. The window of the record is that of the
 * present occurrence or of the next one; the later ones are booked, too. At the end of an
 * occurrence its runs are deleted, and the jobs that wait stay for the next one.
 */
final class Occurrences {
  private static final String SERVER = "server";

  private Occurrences() {}

  static boolean isStanding(Reservation reservation) {
    return !reservation.getSpec().getRule().isEmpty();
  }

  /** Checks where the later occurrences are to lie, and notes it in the record. */
  static void place(Context c, Reservation before, Reservation after, ConfirmReservation proposal)
      throws PbsRefusal {
    ReservationSpec spec = after.getSpec();
    List<Long> later = spec.getLaterMs();
    List<Integer> lies = proposal.getLies();
    List<List<NodeShare>> proposed = proposal.getPlacements();
    if (lies.size() != later.size() || proposed.size() > later.size()) {
      throw new PbsRefusal(PbsError.NO_ROOM);
    }
    Placing first = new Placing(c, before, spec);
    List<Placement> placements = new ArrayList<>();
    List<Placing> checks = new ArrayList<>();
    List<List<Long>> again = new ArrayList<>();
    long sum = after.getBooked().size();
    for (int i = 0; i < lies.size(); i++) {
      int which = lies.get(i);
      if (which < 0 || which > placements.size() || which >= proposed.size()) {
        throw new PbsRefusal(PbsError.NO_ROOM);
      }
      if (which == placements.size()) {
        Placing placing = first.at(later.get(i));
        placements.add(placing.lies(proposed.get(which)));
        checks.add(placing);
        again.add(new ArrayList<>());
      } else {
        again.get(which).add(later.get(i));
      }
      sum += placements.get(which).getBooked().size();
      refuseMany(sum);
    }
    for (int i = 0; i < checks.size(); i++) {
      checks.get(i).again(placements.get(i).getBooked(), again.get(i));
    }
    refuseFull(c, after.getBooked(), placements, again);
    after.setPlacements(placements);
    after.setLies(lies);
    checkSize(after);
  }

  static void checkSize(Reservation after) throws PbsRefusal {
    if (!PastOccurrences.makeRoom(after)) {
      throw new PbsRefusal(PbsError.NO_ROOM, " in a record: it would lie on too many nodes");
    }
  }

  private static void refuseMany(long sum) throws PbsRefusal {
    if (sum > RepeatedTimes.BOOKINGS_MAX) {
      throw new PbsRefusal(
          PbsError.NO_ROOM, ": more than " + RepeatedTimes.BOOKINGS_MAX + " bookings");
    }
  }

  /** Each of them counts, not only the first one on a node. */
  private static void refuseFull(
      Context c, List<BookedNode> booked, List<Placement> placements, List<List<Long>> again)
      throws PbsRefusal {
    Map<String, Integer> bookings = new TreeMap<>();
    booked.forEach(it -> bookings.merge(it.getNode(), 1, Integer::sum));
    for (int i = 0; i < placements.size(); i++) {
      int times = 1 + again.get(i).size();
      placements
          .get(i)
          .getBooked()
          .forEach(it -> bookings.merge(it.getNode(), times, Integer::sum));
    }
    for (Map.Entry<String, Integer> node : bookings.entrySet()) {
      int has = c.view().bookings().count(node.getKey());
      if (has + node.getValue() > Placing.BOOKINGS_MAX) {
        throw new PbsRefusal(PbsError.NO_ROOM, " " + node.getKey());
      }
    }
  }

  /** The present occurrence alone becomes another; what the later ones are like is kept. */
  static void alteredAlone(Reservation before, Reservation after) throws PbsRefusal {
    if (!Reservations.hasNext(before)) {
      return;
    }
    if (before.getUsual() == null) {
      ReservationSpec spec = before.getSpec();
      after.setUsual(
          new UsualOccurrence(
              spec.getEndMs() - spec.getStartMs(), spec.getRequest(), spec.getResourceList()));
    }
    checkSize(after);
  }

  /** The window is over, and another one comes. What was asked for it comes too late. */
  static void over(Context c, Reservation last, Decision decision) {
    boolean late = last.getAsked() != null;
    Reservation before = late ? Ending.deny(c, last, "the occurrence is over", decision) : last;
    if (!ReservedJobs.anyRuns(c.view(), before)) {
      next(c, before, decision);
      return;
    }
    Reservation after = Revision.of(c, before);
    Revision.answer(after, Revision.DENIED, decision);
    after.setRetryMs(0L);
    after.setState(ReservationState.DELETING_JOBS);
    after.setSubstate(ReservationState.DELETING_JOBS);
    decision.fact(new ReservationClosing(c.stamp(), after, "an occurrence is over"));
    ReservationWork.deleteRuns(c, Keys.reserved(after.getNumber()), SERVER, decision);
  }

  /**
   * Looks again at one that waits for the end of its runs. The work that ends them has begun at the
   * end of the window and comes to all of them: no other one starts meanwhile.
   */
  static void goOn(Context c, Reservation between, Decision decision) {
    if (!ReservedJobs.anyRuns(c.view(), between)) {
      next(c, between, decision);
    }
  }

  /** The next occurrence; those that are over by now are passed over. */
  private static void next(Context c, Reservation before, Decision decision) {
    ReservationSpec spec = Copies.of(before.getSpec());
    List<Long> later = spec.getLaterMs();
    long lengthMs = BookedTime.laterLengthMs(before);
    int i = 0;
    while (i < later.size() - 1 && later.get(i) + lengthMs <= c.nowMs()) {
      i++;
    }
    spec.setStartMs(later.get(i));
    spec.setEndMs(later.get(i) + lengthMs);
    spec.setLaterMs(new ArrayList<>(later.subList(i + 1, later.size())));
    UsualOccurrence usual = before.getUsual();
    if (usual != null) {
      spec.setRequest(usual.getRequest());
      spec.setResourceList(usual.getResourceList());
    }
    Placement there = before.getPlacements().get(before.getLies().get(i));
    Reservation after = Revision.of(c, before);
    after.setSpec(spec);
    after.setUsual(null);
    after.setOccurrence(before.getOccurrence() + 1 + i);
    after.setLies(new ArrayList<>(before.getLies().subList(i + 1, later.size())));
    after.setShares(there.getShares());
    after.setBooked(there.getBooked());
    after.setNodes(there.getNodes());
    after.setStartedMs(-1L);
    after.setIdleDueMs(0L);
    after.setLost(LostNodes.of(c, after));
    PastOccurrences.keep(c, before, after, i);
    ReservationSpec over = before.getSpec();
    decision.fact(
        new ReservationReturned(
            c.stamp(), Revision.settled(c, after), over.getStartMs(), over.getEndMs()));
  }
}
