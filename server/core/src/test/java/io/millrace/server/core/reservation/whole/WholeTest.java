package io.millrace.server.core.reservation.whole;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.command.SettleReservation;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.fact.PartHeld;
import io.millrace.schemas.fact.PartSettled;
import io.millrace.schemas.fact.WholeBegun;
import io.millrace.schemas.fact.WholeDecided;
import io.millrace.schemas.fact.WholeEnded;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.TransactionTimes;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.WholeState;
import io.millrace.server.core.shard.ReservationCalls;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reservations in several partitions: all parts or none. */
class WholeTest {
  private static final int BAD_STATE = PbsError.BAD_STATE.code();

  private final Together all = new Together();

  private String kept() {
    Reply reply = all.reserved(3, all.wish("ann", 1, Together.EAST, Together.WEST));
    return reply.getLines().get(0).split(" ")[0];
  }

  private int shardOf(String id) {
    for (int i = 0; i < 4; i++) {
      for (WholeBegun begun : all.shards.facts(i, WholeBegun.class)) {
        if (begun.getWhole().getId().equals(id)) {
          return i;
        }
      }
    }
    throw new AssertionError("no shard has " + id);
  }

  private int end(CommandMeta meta, String id) {
    Reply reply = all.shards.ask(shardOf(id), all.deletion(meta, id));
    return reply.getCode();
  }

  @Test
  void allPartsStayWhenAllAreHeld() {
    ReserveTogether wish = all.wish("ann", 1, Together.EAST, Together.WEST, Together.HOME);
    all.shards.send(1, wish);
    all.shards.run();
    all.confirmIn(Together.EAST, Together.WEST);
    assertNull(all.shards.answer(wish.getMeta()), "one is not held yet");
    assertTrue(all.parts().stream().allMatch(it -> it.getPending() != null));
    all.confirmIn(Together.HOME);
    Reply reply = all.shards.answer(wish.getMeta());
    assertEquals(0, reply.getCode());
    assertTrue(reply.getLines().get(0).matches("W\\d+\\.mill CONFIRMED"), reply::toString);
    assertEquals(3, all.parts().size());
    assertTrue(all.parts().stream().allMatch(it -> it.getPending() == null));
    assertEquals(3, all.bookings());
    assertEquals(List.of(WholeState.KEPT), all.wholes().stream().map(it -> it.getState()).toList());
    assertEquals(6, all.shards.facts(PartHeld.class).size(), "made and held");
    assertEquals(1, all.shards.facts(WholeDecided.class).size());
    assertEquals(3, all.shards.facts(PartSettled.class).size());
  }

  @Test
  void noneStaysWhenOneIsDenied() {
    ReserveTogether wish = all.wish("ann", 1, Together.EAST, Together.WEST);
    all.shards.send(1, wish);
    all.shards.run();
    all.confirmIn(Together.EAST);
    assertEquals(1, all.bookings());
    all.deny(all.in(Together.WEST));
    all.shards.run();
    Reply reply = all.shards.answer(wish.getMeta());
    assertTrue(reply.getLines().get(0).endsWith(" DENIED"), reply::toString);
    assertEquals("pwest: full", reply.getLines().get(1));
    assertEquals(List.of(), all.parts());
    assertEquals(List.of(), all.wholes());
    assertEquals(0, all.bookings());
    assertEquals(1, all.shards.facts(WholeEnded.class).size());
  }

  @Test
  void noneStaysWhenOneIsNotDecidedInTime() {
    ReserveTogether wish = all.wish("ann", 1, Together.EAST, Together.WEST);
    all.shards.send(1, wish);
    all.shards.run();
    all.confirmIn(Together.EAST);
    all.shards.pass(WholeRequest.HOLD_MS + 1);
    Reply reply = all.shards.answer(wish.getMeta());
    assertEquals("pwest: no decision in 10 seconds", reply.getLines().get(1));
    assertEquals(List.of(), all.parts());
    assertEquals(0, all.bookings());
  }

  /** Its inbox keeps what was sent: what comes too late is not held. */
  @Test
  void aShardWithoutAnOwnerDeniesAndHoldsNothingLater() {
    int west = all.shards.shardOfScheduler("ws");
    ReserveTogether wish = all.wish("ann", 1, Together.EAST, Together.WEST);
    all.shards.silence(west, true);
    all.shards.send(0, wish);
    all.shards.run();
    all.confirmIn(Together.EAST);
    all.shards.pass(WholeRequest.HOLD_MS + 1);
    all.shards.pass(WholeProgress.ENDING_MS + 1);
    Reply reply = all.shards.answer(wish.getMeta());
    assertTrue(reply.getLines().get(0).endsWith(" DENIED"), reply::toString);
    assertTrue(reply.getLines().get(1).endsWith("its shard answers: pwest"), reply::toString);
    assertEquals(List.of(), all.parts());
    all.shards.silence(west, false);
    all.shards.run();
    assertEquals(List.of(), all.parts());
    assertEquals(List.of(), all.wholes());
  }

  /** What was said to be held is there when it is told to stay, however late that is. */
  @Test
  void aPartThatIsHeldEndsByNoTimeOfItsOwn() {
    int west = all.shards.shardOfScheduler("ws");
    int east = all.shards.shardOfScheduler("es");
    ReserveTogether wish = all.wish("ann", 1, Together.EAST, Together.WEST);
    all.shards.send(east, wish);
    all.shards.run();
    all.confirmIn(Together.WEST);
    all.shards.silence(west, true);
    all.confirmIn(Together.EAST);
    assertNull(all.shards.answer(wish.getMeta()));
    all.shards.pass(TransactionTimes.OPEN_MAX_MS + 1);
    assertNotNull(all.in(Together.WEST).getPending());
    all.shards.silence(west, false);
    all.shards.run();
    assertTrue(all.shards.answer(wish.getMeta()).getLines().get(0).endsWith(" CONFIRMED"));
    assertNull(all.in(Together.WEST).getPending());
  }

  @Test
  void theyEndTogether() {
    String id = kept();
    assertEquals(PbsError.UNAUTHORIZED.code(), end(all.shards.user("bob"), id));
    assertEquals(
        PbsError.UNKNOWN_RESERVATION.code(),
        all.shards.ask(0, all.deletion(all.shards.user("ann"), "W99999.mill")).getCode());
    assertEquals(0, end(all.shards.user("ann"), id));
    assertEquals(List.of(), all.parts());
    assertEquals(List.of(), all.wholes());
    assertEquals(0, all.bookings());
  }

  @Test
  void noPartEndsOrChangesAlone() {
    String id = kept();
    Reservation east = all.in(Together.EAST);
    int shard = all.shard(east);
    CommandMeta ann = all.shards.user("ann");
    Reply refused = all.shards.ask(shard, ReservationCalls.delete(ann, east.getId()));
    assertEquals(BAD_STATE, refused.getCode());
    assertTrue(refused.getLines().get(0).contains("it is a part of " + id), refused::toString);
    assertEquals(
        BAD_STATE,
        all.shards.code(
            shard,
            ReservationCalls.alter(all.shards.user("ann"), east.getId()).setName("x").build()));
    assertEquals(
        BAD_STATE,
        all.shards.code(
            shard, new SettleReservation(all.shards.operator(), east.getId(), false, false)));
    // An operator may: what is left says so, and ends as a whole.
    assertEquals(
        0, all.shards.code(shard, ReservationCalls.delete(all.shards.operator(), east.getId())));
    assertEquals(1, all.parts().size());
    assertEquals(0, end(all.shards.user("ann"), id));
    assertEquals(List.of(), all.parts());
    assertEquals(List.of(), all.wholes());
  }

  @Test
  void nothingOfItIsSettledBeforeItIsDecided() {
    all.shards.send(1, all.wish("ann", 1, Together.EAST, Together.WEST));
    all.shards.run();
    all.confirmIn(Together.EAST);
    Reservation east = all.in(Together.EAST);
    int shard = all.shard(east);
    assertEquals(
        BAD_STATE,
        all.shards.code(shard, ReservationCalls.delete(all.shards.operator(), east.getId())));
    assertEquals(
        BAD_STATE,
        all.shards.code(
            shard, new SettleReservation(all.shards.user("ann"), east.getId(), true, false)));
    assertEquals(BAD_STATE, end(all.shards.user("ann"), all.wholes().get(0).getId()));
  }

  @Test
  void wrongWishesHoldNothing() {
    int invalid = PbsError.INVALID_REQUEST.code();
    assertEquals(invalid, all.shards.code(0, all.wish("ann", 1)));
    assertEquals(invalid, all.shards.code(0, all.wish("ann", 1, Together.EAST, Together.EAST)));
    assertEquals(invalid, all.shards.code(0, all.wish("ann", 1, Together.EAST, "nowhere")));
    ReserveTogether foreign = all.wish("ann", 1, Together.EAST, Together.WEST);
    foreign.setMeta(all.shards.user("bob"));
    assertEquals(PbsError.UNAUTHORIZED.code(), all.shards.code(0, foreign));
    ReserveTogether past = all.wish("ann", 1, Together.EAST, Together.WEST);
    past.getParts().get(1).setStartMs(all.beginMs - 1);
    Reply reply = all.shards.ask(0, past);
    assertEquals("pwest: " + PbsError.BAD_TIMES.text(), reply.getLines().get(1));
    assertEquals(List.of(), all.parts());
    assertEquals(List.of(), all.wholes());
  }

  @Test
  void whatIsSentAgainIsTheSame() {
    ReserveTogether wish = all.wish("ann", 1, Together.EAST, Together.WEST);
    all.shards.send(1, wish);
    all.shards.run();
    all.shards.send(1, wish);
    all.shards.run();
    assertEquals(1, all.wholes().size());
    all.confirmIn(Together.EAST, Together.WEST);
    Reply first = all.shards.answer(wish.getMeta());
    all.shards.send(1, wish);
    all.shards.run();
    assertEquals(1, all.wholes().size());
    assertEquals(
        first.getLines(),
        all.shards
            .replies(wish.getMeta())
            .get(all.shards.replies(wish.getMeta()).size() - 1)
            .getLines());
  }

  @Test
  void itEndsWithTheWindow() {
    kept();
    all.shards.pass(2 * Together.HOUR_MS + 1);
    assertEquals(List.of(), all.parts());
    assertEquals(List.of(), all.wholes());
  }
}
