package io.millrace.server.core.reservation;

import io.millrace.schemas.fact.ReservationAltered;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.Reservations;

/** Opens transactions: changes of a reservation that are held until somebody settles them. */
public final class Pending {
  /** Behind the text of {@link PbsError#UNSUPPORTED}. */
  static final String REFUSED =
      ": a standing reservation and one of hosts under maintenance take no transaction";

  private Pending() {}

  /** Whether a reservation of this kind has no transactions. */
  static boolean refuses(ReservationSpec spec) {
    return !spec.getRule().isEmpty() || !spec.getMaintained().isEmpty();
  }

  /** A transaction that begins now; what is to be follows when the scheduler has decided. */
  static ReservationTransaction of(Context c, TransactionKind kind) {
    return of(c, kind, c.meta().getPrincipal() + "@" + c.meta().getHost());
  }

  static ReservationTransaction of(Context c, TransactionKind kind, String by) {
    return ReservationTransaction.newBuilder()
        .setKind(kind)
        .setBy(by)
        .setOpenedMs(c.nowMs())
        .build();
  }

  /** Its transaction is over without a commit. */
  public static void drop(Reservation after) {
    after.setOnlyHeld(after.getOnlyHeld() || Reservations.isOnlyHeld(after));
    after.setPending(null);
  }

  /** Its end is held: it stays until that is committed. */
  static Decision end(Context c, Reservation before, boolean forget) {
    if (refuses(before.getSpec())) {
      return Decision.rejected(c, PbsError.UNSUPPORTED, REFUSED);
    }
    boolean settled =
        Reservations.hasQueue(before)
            && !Reservations.isClosing(before)
            && before.getAsked() == null
            && before.getPending() == null;
    if (!settled) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    ReservationTransaction open = of(c, forget ? TransactionKind.DESTROY : TransactionKind.CANCEL);
    Reservation after = Revision.of(c, before);
    after.setPending(open);
    return Decision.done(c).fact(new ReservationAltered(c.stamp(), after, "", open.getBy()));
  }

  /** The scheduler has found room for what it is to be, beside what it is. */
  static Reservation modified(Context c, Reservation before, Reservation placed) {
    Reservation after = Revision.of(c, before);
    after.setAsked(null);
    after.setPending(
        ReservationTransaction.newBuilder(before.getPending())
            .setSpec(placed.getSpec())
            .setShares(placed.getShares())
            .setNodes(placed.getNodes())
            .setBooked(placed.getBooked())
            .build());
    return Revision.settled(c, after);
  }

  /** Only what no scheduler has to look at is to change; its nodes are those that it has then. */
  static Reservation described(Context c, Reservation before, ReservationSpec described) {
    Reservation after = Revision.of(c, before);
    after.setPending(
        ReservationTransaction.newBuilder(of(c, TransactionKind.MODIFY))
            .setSpec(described)
            .build());
    return after;
  }
}
