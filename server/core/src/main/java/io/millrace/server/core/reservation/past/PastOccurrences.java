package io.millrace.server.core.reservation.past;

import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.PastOccurrence;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.RecordSizes;
import io.millrace.server.core.state.Copies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps in the record of a standing reservation which of its occurrences are over, as long as a
 * reservation that has ended would be kept.
 */
public final class PastOccurrences {

  /** Most bytes of a record, which is in every fact about the reservation; the oldest go first. */
  public static final long RECORD_BYTES_MAX = 512 << 10;

  private PastOccurrences() {}

  /**
   * The window is over, and so are some of the later ones.
   *
   * @param before as it was in the window
   * @param after as it is from now on, which is changed
   * @param passed how many of the later ones were over before they could begin
   */
  public static void keep(Context c, Reservation before, Reservation after, int passed) {
    List<Placement> placements = new ArrayList<>(before.getPlacements());
    List<PastOccurrence> past = new ArrayList<>(before.getPast());
    // One that nobody used for long is given back before its end.
    long untilMs = Math.min(c.nowMs(), before.getSpec().getEndMs());
    if (BookedTime.sinceMs(before) < untilMs) {
      int there = indexOf(placements, before.getBooked());
      past.add(new PastOccurrence(BookedTime.sinceMs(before), untilMs, there));
    }
    after.setSinceMs(0L);
    long lengthMs = BookedTime.laterLengthMs(before);
    for (int i = 0; i < passed; i++) {
      long startMs = before.getSpec().getLaterMs().get(i);
      past.add(new PastOccurrence(startMs, startMs + lengthMs, before.getLies().get(i)));
    }
    long sinceMs = c.nowMs() - PastReservations.historyMs(c.view());
    past.removeIf(it -> it.getEndMs() <= sinceMs);
    setFitting(after, placements, past);
  }

  /**
   * In its window a reservation gets other nodes, or its window is moved: which nodes it had until
   * now is kept.
   *
   * @param before as it was
   * @param after as it is from now on, which is changed
   */
  public static void changed(Context c, Reservation before, Reservation after) {
    boolean moved = after.getSpec().getStartMs() > c.nowMs();
    if (before.getStartedMs() < 0 || !moved && nodes(before).equals(nodes(after))) {
      return;
    }
    long fromMs = BookedTime.sinceMs(before);
    long untilMs = Math.min(c.nowMs(), before.getSpec().getEndMs());
    after.setSinceMs(moved ? 0L : c.nowMs());
    if (fromMs < untilMs) {
      List<Placement> placements = new ArrayList<>(before.getPlacements());
      List<PastOccurrence> past = new ArrayList<>(before.getPast());
      int there = indexOf(placements, before.getBooked());
      past.add(new PastOccurrence(fromMs, untilMs, there));
      setFitting(after, placements, past);
    }
  }

  private static Set<String> nodes(Reservation reservation) {
    return reservation.getBooked().stream().map(BookedNode::getNode).collect(Collectors.toSet());
  }

  /** Sets what is over, as much as there is room for in a record. */
  private static void setFitting(
      Reservation after, List<Placement> placements, List<PastOccurrence> past) {
    List<Integer> lies = after.getLies();
    set(after, placements, lies, past);
    while (!past.isEmpty() && RecordSizes.of(after) > RECORD_BYTES_MAX) {
      int oldest = (past.size() + 1) / 2;
      past.subList(0, oldest).clear();
      after.setPastForgotten(after.getPastForgotten() + oldest);
      set(after, placements, lies, past);
    }
  }

  /**
   * What is over makes room in the record for what is to be: the oldest goes first. It never is why
   * a change is refused.
   *
   * @param after which is changed
   * @return whether the record has room for what is to be
   */
  public static boolean makeRoom(Reservation after) {
    if (RecordSizes.of(after) <= RECORD_BYTES_MAX) {
      return true;
    }
    setFitting(after, after.getPlacements(), new ArrayList<>(after.getPast()));
    return RecordSizes.of(after) <= RECORD_BYTES_MAX;
  }

  /**
   * A reservation has ended: of its occurrences is kept when they were, and on which nodes. Those
   * to come are kept only as far as they lie in the time for which its record is kept.
   *
   * @param last as it ended, which is changed
   */
  public static void ended(Context c, Reservation last) {
    long untilMs = c.nowMs() + PastReservations.historyMs(c.view());
    List<Long> laterMs = last.getSpec().getLaterMs();
    int to = 0;
    while (to < last.getLies().size() && laterMs.get(to) < untilMs) {
      to++;
    }
    ReservationSpec spec = Copies.of(last.getSpec());
    spec.setLaterMs(List.copyOf(laterMs.subList(0, to)));
    last.setSpec(spec);
    List<Placement> nodes = new ArrayList<>();
    for (Placement each : last.getPlacements()) {
      List<BookedNode> names = new ArrayList<>();
      each.getBooked()
          .forEach(it -> names.add(new BookedNode(it.getNode(), Map.of(), it.getExclusive())));
      nodes.add(new Placement(List.of(), names, ""));
    }
    set(last, nodes, last.getLies().subList(0, to), last.getPast());
  }

  /** Where in the placements these nodes are, which are added if they are not among them. */
  private static int indexOf(List<Placement> placements, List<BookedNode> booked) {
    for (int i = 0; i < placements.size(); i++) {
      if (placements.get(i).getBooked().equals(booked)) {
        return i;
      }
    }
    placements.add(new Placement(List.of(), booked, ""));
    return placements.size() - 1;
  }

  /** Placements that no occurrence has any more are left out. */
  private static void set(
      Reservation after,
      List<Placement> placements,
      List<Integer> liesThere,
      List<PastOccurrence> past) {
    Map<Integer, Integer> kept = new HashMap<>();
    List<Placement> left = new ArrayList<>();
    List<Integer> lies = new ArrayList<>();
    for (int each : liesThere) {
      lies.add(index(kept, left, placements, each));
    }
    List<PastOccurrence> over = new ArrayList<>();
    for (PastOccurrence each : past) {
      int its = index(kept, left, placements, each.getLies());
      over.add(new PastOccurrence(each.getStartMs(), each.getEndMs(), its));
    }
    after.setLies(lies);
    after.setPlacements(left);
    after.setPast(over);
  }

  private static int index(
      Map<Integer, Integer> kept, List<Placement> left, List<Placement> all, int which) {
    return kept.computeIfAbsent(
        which,
        it -> {
          left.add(all.get(it));
          return left.size() - 1;
        });
  }
}
