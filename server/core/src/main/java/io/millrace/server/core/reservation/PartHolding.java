package io.millrace.server.core.reservation;

import io.millrace.schemas.command.HoldPart;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.number.NumberBlocks;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.placement.PartitionTable;

/**
 * Reservations that are parts of a whole. Each is held as by a transaction until the shard of the
 * whole has decided, and whatever becomes of it is told there.
 */
final class PartHolding {
  private PartHolding() {}

  /** Begins to hold a part: its scheduler is asked for it. */
  static Decision hold(Context c, HoldPart command) {
    ReservationSpec wish = command.getSpec();
    int shard = PartitionTable.shardOf(c.view(), wish.getPartition());
    if (shard < 0) {
      return PartAnswers.refused(c, command, PbsError.ILLEGAL_VALUE.text(" partition"));
    }
    if (shard != c.shard()) {
      return Decision.none().tell(shard, command);
    }
    if (c.nowMs() > command.getDueMs()) {
      return PartAnswers.refused(c, command, "its shard has not answered in time");
    }
    try {
      if (Pending.refuses(wish)) {
        throw new PbsRefusal(PbsError.UNSUPPORTED, Pending.REFUSED);
      }
      ReservationSpec spec = ReservationRequest.checked(c, wish);
      ReservationLimits.check(c, spec);
      return submit(c, command, spec);
    } catch (PbsRefusal e) {
      return PartAnswers.refused(c, command, e.getMessage());
    }
  }

  private static Decision submit(Context c, HoldPart command, ReservationSpec spec) {
    Decision decision = Decision.none();
    NumberBlocks blocks = new NumberBlocks(c);
    blocks.request(decision, 1);
    if (blocks.left() < 1) {
      return Parking.park(c, Parking.Cause.NUMBERS, "", command, decision);
    }
    Reservation fresh = ReservationRequest.fresh(c, blocks.take(), spec);
    fresh.setAtOnce(true);
    fresh.setWhole(command.getWhole());
    String by = spec.getOwner() + "@" + spec.getSubmitHost();
    fresh.setPending(Pending.of(c, TransactionKind.RESERVE, by));
    decision.fact(new ReservationSubmitted(c.stamp(), fresh));
    PartAnswers.tell(c, fresh, PartState.ASKED, "", decision);
    return decision;
  }
}
