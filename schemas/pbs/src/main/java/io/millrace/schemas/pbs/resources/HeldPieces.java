package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an open transaction holds for a reservation beside what it is now: what it is to be, less
 * what it holds already. At most three pieces: before its window, in it, and after it.
 *
 * @param part which of the three, from 0
 * @param startMs start of the piece
 * @param endMs its end, which is not part of it
 * @param booked what is held of nodes meanwhile
 */
public record HeldPieces(int part, long startMs, long endMs, List<BookedNode> booked) {
  /** Number of the pieces that there can be. */
  public static final int PARTS = 3;

  /** The pieces in the order of their times; none without an open transaction. */
  public static List<HeldPieces> of(Reservation reservation) {
    ReservationTransaction open = reservation.getPending();
    if (open == null || open.getSpec() == null) {
      return List.of();
    }
    ReservationSpec now = reservation.getSpec();
    ReservationSpec then = open.getSpec();
    List<HeldPieces> pieces = new ArrayList<>();
    add(
        pieces,
        0,
        then.getStartMs(),
        Math.min(then.getEndMs(), now.getStartMs()),
        open.getBooked());
    add(
        pieces,
        1,
        Math.max(then.getStartMs(), now.getStartMs()),
        Math.min(then.getEndMs(), now.getEndMs()),
        more(reservation.getBooked(), open.getBooked()));
    add(pieces, 2, Math.max(then.getStartMs(), now.getEndMs()), then.getEndMs(), open.getBooked());
    return pieces;
  }

  private static void add(
      List<HeldPieces> pieces, int part, long startMs, long endMs, List<BookedNode> booked) {
    if (startMs < endMs && !booked.isEmpty()) {
      pieces.add(new HeldPieces(part, startMs, endMs, booked));
    }
  }

  /** What is to be booked beyond what is booked, of each node. */
  private static List<BookedNode> more(List<BookedNode> now, List<BookedNode> then) {
    Map<String, BookedNode> has = new HashMap<>();
    now.forEach(it -> has.put(it.getNode(), it));
    List<BookedNode> more = new ArrayList<>();
    for (BookedNode wanted : then) {
      BookedNode there = has.get(wanted.getNode());
      if (there == null) {
        more.add(wanted);
        continue;
      }
      Map<String, Long> rest = new HashMap<>();
      wanted
          .getAmounts()
          .forEach(
              (name, amount) -> {
                long left = amount - there.getAmounts().getOrDefault(name, 0L);
                if (left > 0) {
                  rest.put(name, left);
                }
              });
      if (!rest.isEmpty() || wanted.getExclusive() && !there.getExclusive()) {
        more.add(new BookedNode(wanted.getNode(), rest, wanted.getExclusive()));
      }
    }
    return more;
  }
}
