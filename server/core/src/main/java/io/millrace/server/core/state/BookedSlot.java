package io.millrace.server.core.state;

import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.HeldPieces;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What a reservation has booked of nodes from a start, and as long from each of some later ones.
 * Follows from its record alone.
 *
 * @param number of the reservation
 * @param held whether it is what an open transaction holds beyond the rest
 * @param laterMs further starts, in order
 */
record BookedSlot(
    long number,
    long startMs,
    long endMs,
    boolean held,
    List<Long> laterMs,
    List<BookedNode> booked) {

  /** Most later occurrences in one booking of a node: what a change of one of them renews. */
  private static final int TIMES_TOGETHER = 500;

  /** Of which a reservation has one at most. */
  record SlotPlace(long startMs, boolean held) {}

  /**
   * All of a reservation: for the present occurrence, for so many later ones at a time that lie on
   * the same nodes, and what a transaction holds. Where the next part of the later ones begins is
   * counted from the last occurrence, so that an occurrence that is over changes one part alone.
   *
   * @param reservation null for none
   */
  static Map<SlotPlace, BookedSlot> of(Reservation reservation) {
    if (reservation == null) {
      return Map.of();
    }
    Map<SlotPlace, BookedSlot> slots = new HashMap<>();
    long number = reservation.getNumber();
    for (BookedSlot later : later(reservation)) {
      slots.put(later.place(), later);
    }
    add(slots, present(reservation));
    for (HeldPieces piece : HeldPieces.of(reservation)) {
      add(
          slots,
          new BookedSlot(number, piece.startMs(), piece.endMs(), true, List.of(), piece.booked()));
    }
    return slots;
  }

  /** Gives the same to a sink, in no order; what most reservations have costs no table. */
  static void each(Reservation reservation, Consumer<BookedSlot> sink) {
    boolean one = reservation.getLies().isEmpty() && reservation.getPending() == null;
    if (one && reservation.getBooked().isEmpty()) {
      return;
    }
    if (one) {
      sink.accept(present(reservation));
    } else {
      of(reservation).values().forEach(sink);
    }
  }

  private static BookedSlot present(Reservation reservation) {
    ReservationSpec spec = reservation.getSpec();
    return new BookedSlot(
        reservation.getNumber(),
        spec.getStartMs(),
        spec.getEndMs(),
        false,
        List.of(),
        reservation.getBooked());
  }

  private static void add(Map<SlotPlace, BookedSlot> slots, BookedSlot slot) {
    slots.put(slot.place(), slot);
  }

  private static List<BookedSlot> later(Reservation reservation) {
    int count = reservation.getLies().size();
    if (count == 0) {
      return List.of();
    }
    List<Long> startsMs = reservation.getSpec().getLaterMs();
    Map<Integer, Map<Integer, List<Long>>> parts = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      parts
          .computeIfAbsent((count - 1 - i) / TIMES_TOGETHER, it -> new HashMap<>())
          .computeIfAbsent(reservation.getLies().get(i), it -> new ArrayList<>())
          .add(startsMs.get(i));
    }
    long lengthMs = BookedTime.laterLengthMs(reservation);
    List<BookedSlot> slots = new ArrayList<>();
    for (Map<Integer, List<Long>> part : parts.values()) {
      part.forEach(
          (lies, starts) ->
              slots.add(
                  new BookedSlot(
                      reservation.getNumber(),
                      starts.get(0),
                      starts.get(0) + lengthMs,
                      false,
                      List.copyOf(starts.subList(1, starts.size())),
                      reservation.getPlacements().get(lies).getBooked())));
    }
    return slots;
  }

  /** Whether a changed record of a reservation books the same, as far as a quick look tells. */
  static boolean surelySame(Reservation before, Reservation after) {
    return before != null
        && before.getSpec() == after.getSpec()
        && before.getBooked() == after.getBooked()
        && before.getPlacements() == after.getPlacements()
        && before.getLies() == after.getLies()
        && before.getUsual() == after.getUsual()
        && before.getPending() == after.getPending();
  }

  SlotPlace place() {
    return new SlotPlace(startMs, held);
  }

  /** Number of its times. */
  int count() {
    return 1 + laterMs.size();
  }

  /** When the last of its times ends. */
  long lastEndMs() {
    return laterMs.isEmpty()
        ? endMs
        : Math.max(endMs, laterMs.get(laterMs.size() - 1) + endMs - startMs);
  }

  /** Key of what is booked of a node. */
  String key(BookedNode one) {
    return Keys.booking(one.getNode(), startMs, number) + (held ? BookingTable.HELD : "");
  }

  /** The same as an answer to queries. */
  NodeBooking booking(BookedNode one) {
    return new NodeBooking(
        one.getNode(), number, startMs, endMs, one.getAmounts(), one.getExclusive(), laterMs);
  }
}
