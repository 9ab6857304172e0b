package io.millrace.server.gridengine.advance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reservation of qrsub is held until its licences were counted once more. */
class HeldAdvanceTest {
  private final List<String> done = new ArrayList<>();
  private int code;
  private boolean dark;

  private boolean counted(boolean holds) {
    done.add("counted");
    return holds;
  }

  private Reply settle(boolean commit) throws LinkException {
    done.add(commit ? "granted" : "given up");
    if (dark) {
      throw new LinkException(LinkException.LinkFailureKind.UNANSWERED, "no answer");
    }
    return new Reply(new CommandId(new byte[16]), code, List.of("no transaction is open"), false);
  }

  @Test
  void whatIsSentIsOnlyHeld() {
    assertTrue(HeldAdvance.command(new CommandMeta(), new ReservationSpec(), -10).getTransaction());
  }

  @Test
  void isGrantedAfterItsLicencesWereCounted() throws Exception {
    HeldAdvance.decide(7, () -> counted(true), this::settle);
    assertEquals(List.of("counted", "granted"), done);
  }

  /** Two that come together: one of them gets the last licence. */
  @Test
  void whatIsHeldCountsForThoseBehindItAlone() {
    Reservation other = new Reservation();
    other.setNumber(6);
    assertTrue(AdvanceRequest.countsFor(other, 5));
    other.setPending(new ReservationTransaction());
    other.getPending().setKind(TransactionKind.RESERVE);
    assertFalse(AdvanceRequest.countsFor(other, 5));
    assertTrue(AdvanceRequest.countsFor(other, 7));
    assertFalse(AdvanceRequest.countsFor(other, 6), "itself");
    other.getPending().setKind(TransactionKind.CANCEL);
    assertTrue(AdvanceRequest.countsFor(other, 5), "it has been granted");
  }

  @Test
  void isGivenUpWhereOthersHaveThem() {
    dark = true; // it ends by itself then
    RequestRefused refused =
        assertThrows(
            RequestRefused.class, () -> HeldAdvance.decide(7, () -> counted(false), this::settle));
    assertEquals("advance_reservation: no suitable queues", refused.getMessage());
    assertEquals(List.of("counted", "given up"), done);
  }

  @Test
  void isGivenUpWhereNobodyCanCount() {
    HeldAdvance.LicenceCheck blind =
        () -> {
          throw new QueryException("no shard");
        };
    assertThrows(QueryException.class, () -> HeldAdvance.decide(7, blind, this::settle));
    assertEquals(List.of("given up"), done);
  }

  @Test
  void whyNobodyCouldCountIsToldWhereGivingUpFailsToo() {
    code = PbsError.BAD_STATE.code();
    HeldAdvance.LicenceCheck blind =
        () -> {
          throw new QueryException("no shard");
        };
    Failure told = assertThrows(Failure.class, () -> HeldAdvance.decide(7, blind, this::settle));
    assertTrue(
        told.text().contains("may have been granted (no shard; no transaction is open)"),
        told::text);
  }

  @Test
  void whoIsNotHeardInTimeIsToldSo() {
    code = 15016;
    RequestRefused late =
        assertThrows(
            RequestRefused.class, () -> HeldAdvance.decide(7, () -> counted(true), this::settle));
    assertEquals("denied: no transaction is open", late.getMessage());
    dark = true;
    Failure unknown =
        assertThrows(Failure.class, () -> HeldAdvance.decide(7, () -> counted(true), this::settle));
    assertTrue(unknown.text().contains("may have been granted"), unknown::text);
  }
}
