package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.node.Booked;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.HeldPieces;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Reservation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What open transactions hold beside what their reservations have, under numbers of its own: a
 * booking for each of the {@link HeldPieces}, null for one that there is not.
 */
final class HeldBookings {

  private final BookedTakes takes;
  private final ResourceNames names;

  /** The last records of reservations whose transactions hold anything. */
  private final Map<Long, Reservation> open = new HashMap<>();

  HeldBookings(BookedTakes takes, ResourceNames names) {
    this.takes = takes;
    this.names = names;
  }

  /** Number under which a part is booked; no reservation has it. */
  static long number(long reservation, int part) {
    return Long.MIN_VALUE + reservation * HeldPieces.PARTS + part;
  }

  /** A reservation as it is after a change, and what is held of it then. */
  Booked[] told(Reservation record) {
    if (record.getPending() == null || record.getPending().getSpec() == null) {
      open.remove(record.getNumber());
      return new Booked[HeldPieces.PARTS];
    }
    open.put(record.getNumber(), record);
    return parts(record);
  }

  /** What is held by what the record says; null without an open transaction. */
  Booked[] asTold(long number) {
    Reservation record = open.get(number);
    return record == null ? null : parts(record);
  }

  /**
   * What is held once a reservation has other nodes than the record says: more, since it has less
   * of what the transaction is to give it. Null without an open transaction, and for one that has
   * begun, which holds its nodes until there is a record that says otherwise.
   */
  Booked[] beside(long number, Booked instead) {
    Reservation record = open.get(number);
    if (record == null || record.getStartedMs() >= 0) {
      return null;
    }
    List<BookedNode> booked = new ArrayList<>();
    for (NodeShare share : instead.held().shares(names)) {
      boolean exclusive = instead.exclusive()[booked.size()];
      booked.add(new BookedNode(share.getNode(), share.getAmounts(), exclusive));
    }
    return parts(Reservation.newBuilder(record).setBooked(summed(booked)).build());
  }

  /** Each node once. */
  private static List<BookedNode> summed(List<BookedNode> booked) {
    Map<String, BookedNode> byName = new HashMap<>();
    for (BookedNode one : booked) {
      BookedNode sum = byName.putIfAbsent(one.getNode(), one);
      if (sum != null) {
        one.getAmounts().forEach((name, amount) -> sum.getAmounts().merge(name, amount, Long::sum));
        sum.setExclusive(sum.getExclusive() || one.getExclusive());
      }
    }
    return List.copyOf(byName.values());
  }

  private Booked[] parts(Reservation record) {
    Booked[] parts = new Booked[HeldPieces.PARTS];
    for (HeldPieces piece : HeldPieces.of(record)) {
      boolean[] exclusive = new boolean[piece.booked().size()];
      for (int i = 0; i < exclusive.length; i++) {
        exclusive[i] = piece.booked().get(i).getExclusive();
      }
      String place = record.getPending().getSpec().getRequest().getPlace();
      parts[piece.part()] =
          new Booked(
              number(record.getNumber(), piece.part()),
              record.getQueue(),
              piece.startMs(),
              piece.endMs(),
              new JobAllocation(
                  takes.of(List.of(), piece.booked()), PlaceRequest.of(place).sharing()),
              exclusive);
    }
    return parts;
  }
}
