package io.millrace.server.core.reservation;

import io.millrace.schemas.command.AnswerPart;
import io.millrace.schemas.command.HoldPart;
import io.millrace.schemas.command.SettlePart;
import io.millrace.schemas.state.PartOf;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** What the shard of a whole is told of its parts, and what a part may not do without it. */
public final class PartAnswers {
  private PartAnswers() {}

  /** Tells the shard of the whole that nothing was made of a part. */
  static Decision refused(Context c, HoldPart command, String why) {
    PartOf whole = command.getWhole();
    AnswerPart answer =
        new AnswerPart(
            c.asShard(), whole.getNumber(), whole.getPart(), c.shard(), "", PartState.GONE, why);
    return tell(c, whole.getShard(), answer, Decision.none());
  }

  /** Tells the shard of the whole that there is nothing that could be settled. */
  public static Decision gone(Context c, SettlePart command, Decision decision) {
    return tell(
        c,
        command.getWholeShard(),
        new AnswerPart(
            c.asShard(),
            command.getWhole(),
            command.getPart(),
            c.shard(),
            command.getReservationId(),
            PartState.GONE,
            "it was there no more"),
        decision);
  }

  /** Tells the shard of the whole how a part stands, if it is one. */
  public static void tell(
      Context c, Reservation part, PartState state, String why, Decision decision) {
    PartOf whole = part.getWhole();
    if (whole != null) {
      tell(
          c,
          whole.getShard(),
          new AnswerPart(
              c.asShard(), whole.getNumber(), whole.getPart(), c.shard(), part.getId(), state, why),
          decision);
    }
  }

  /** Nobody is told where no shard is: what names one may be damaged. */
  private static Decision tell(Context c, int shard, AnswerPart answer, Decision decision) {
    return shard >= 0 && shard < c.view().shards() ? decision.tell(shard, answer) : decision;
  }

  /** Whether it is the part that is meant. */
  public static boolean isOf(Reservation part, SettlePart command) {
    return part != null
        && part.getId().equals(command.getReservationId())
        && part.getWhole() != null
        && part.getWhole().getNumber() == command.getWhole()
        && part.getWhole().getPart() == command.getPart();
  }

  /** Behind the text of an error: of what it is a part. */
  public static String name(Reservation part) {
    return ": it is a part of " + part.getWhole().getWhole();
  }

  /**
   * Why a part does not end alone; empty when it may. Operators may end one that stays: it may be
   * in their way, and the whole tells what it has lost.
   */
  static String ofWhole(Context c, Reservation reservation) {
    if (reservation.getWhole() == null) {
      return "";
    }
    if (reservation.getPending() != null) {
      return name(reservation) + ", which is not decided yet";
    }
    return c.isOperator() ? "" : name(reservation) + ", which ends as a whole";
  }
}
