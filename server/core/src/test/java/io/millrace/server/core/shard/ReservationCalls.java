package io.millrace.server.core.shard;

import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.DenyReservation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Makes the commands of reservations, and finds them in shards. */
public final class ReservationCalls {
  private ReservationCalls() {}

  public static ReservationSpec spec(
      String owner, String partition, long startMs, long endMs, String place, Chunk... chunks) {
    return ReservationSpec.newBuilder()
        .setOwner(owner)
        .setSubmitHost(Calls.HOST)
        .setPartition(partition)
        .setStartMs(startMs)
        .setEndMs(endMs)
        .setRequest(Calls.request(place, chunks))
        .setResourceList(List.of())
        .build();
  }

  public static SubmitReservation submit(CommandMeta meta, ReservationSpec spec, long interactive) {
    return new SubmitReservation(meta, spec, interactive, false, false, false);
  }

  public static DeleteReservation delete(CommandMeta meta, String id) {
    return new DeleteReservation(meta, id, false, false);
  }

  public static AlterReservation.Builder alter(CommandMeta meta, String id) {
    return AlterReservation.newBuilder().setMeta(meta).setReservationId(id);
  }

  /** A proposal about the reservation as it is now, later occurrences on the same nodes. */
  public static ConfirmReservation confirm(
      CommandMeta meta, long epoch, String scheduler, Reservation seen, List<NodeShare> shares) {
    int later = seen.getShares().isEmpty() ? seen.getSpec().getLaterMs().size() : 0;
    return new ConfirmReservation(
        meta,
        scheduler,
        epoch,
        seen.getNumber(),
        seen.getRevision(),
        shares,
        later == 0 ? List.of() : List.of(shares),
        Collections.nCopies(later, 0),
        soonest(seen));
  }

  /** When one begins that is to be as soon as possible: the second after it was asked for. */
  private static long soonest(Reservation seen) {
    boolean open = seen.getSpec().getSoonest() && seen.getShares().isEmpty();
    return open ? seen.getCreatedMs() - seen.getCreatedMs() % 1000 + 1000 : 0;
  }

  public static DenyReservation deny(
      CommandMeta meta, long epoch, String scheduler, Reservation seen, String why) {
    return new DenyReservation(meta, scheduler, epoch, seen.getNumber(), seen.getRevision(), why);
  }

  public static List<Reservation> all(Tables tables) {
    List<Reservation> all = new ArrayList<>();
    tables.table(Reservation.class).each(all::add);
    return all;
  }
}
