package io.millrace.server.gridengine.advance;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;

/**
 * A reservation that is held, and granted once its licences have been counted with all that is held
 * and granted by then: the shard looks at processors alone. What nobody settles ends by itself, so
 * that a gateway that dies in between has granted nothing.
 */
final class HeldAdvance {
  static final String NO_ROOM = "advance_reservation: no suitable queues";

  /** Whether nobody else has the same licences. */
  interface LicenceCheck {
    boolean holds() throws QueryException, InterruptedException;
  }

  /** Grants what is held, or gives it up. */
  interface Settlement {
    Reply settle(boolean commit) throws Failure, LinkException, InterruptedException;
  }

  private HeldAdvance() {}

  /**
   * The command that has it held.
   *
   * @param waitS seconds that the scheduler has; negative: what it has not decided by then goes
   */
  static SubmitReservation command(CommandMeta meta, ReservationSpec spec, long waitS) {
    return new SubmitReservation(meta, spec, waitS, true, true, false);
  }

  /**
   * Grants it or gives it up.
   *
   * @throws RequestRefused when it is not granted
   * @throws Failure when nobody knows whether it is
   */
  static void decide(long number, LicenceCheck check, Settlement settlement)
      throws Failure, QueryException, InterruptedException {
    boolean holds;
    try {
      holds = check.holds();
    } catch (QueryException | InterruptedException | RuntimeException e) {
      giveUp(number, settlement, e.getMessage() + "; ");
      throw e;
    }
    if (!holds) {
      giveUp(number, settlement, "");
      throw new RequestRefused(NO_ROOM);
    }
    Reply reply;
    try {
      reply = settlement.settle(true);
    } catch (LinkException e) {
      throw new Failure(unknown(number, e.getMessage()), 1);
    }
    if (reply.getCode() != 0) {
      throw new RequestRefused("denied: " + String.join(" ", reply.getLines()).strip());
    }
  }

  /**
   * @param why what kept anybody from counting, which is told where this fails, too
   */
  private static void giveUp(long number, Settlement settlement, String why)
      throws Failure, InterruptedException {
    try {
      Reply reply = settlement.settle(false);
      if (reply.getCode() == PbsError.BAD_STATE.code()) {
        // Somebody has committed it meanwhile.
        String text = String.join(" ", reply.getLines()).strip();
        throw new Failure(unknown(number, why + text), 1);
      }
    } catch (LinkException e) {
      // Nobody hears it: then it ends by itself.
    }
  }

  static String unknown(long number, String why) {
    return "error: advance reservation "
        + number
        + " may have been granted ("
        + why
        + "): see qrstat -ar "
        + number
        + "\n";
  }
}
