package io.millrace.connectors.forward.sites;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.forward.sites.PartRequest.PartNews;
import io.millrace.connectors.forward.sites.SiteDoor.SiteReply;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SitePart;
import io.millrace.schemas.state.SiteWish;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done about a part elsewhere, and what an answer makes of it. */
class PartRequestTest {
  private static final long NOW_MS = 1_800_000_000_000L;
  private static final SiteReply OK = new SiteReply.Said(0, "R17\n", "");
  private static final SiteReply NO = new SiteReply.Said(1, "", "plus_commit: no transaction\n");
  private static final SiteReply HELD = new SiteReply.ShownThere("CONFIRMED", "reserve", List.of());
  private static final SiteReply KEPT =
      new SiteReply.ShownThere("RUNNING", "", List.of("n1 (down)"));
  private static final SiteReply ABSENT = new SiteReply.Absent();
  private static final SiteReply LOST = new SiteReply.Unknown("no answer", false, false);

  private final Deque<SiteReply> replies = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final List<UUID> ids = new ArrayList<>();
  private boolean first;
  private boolean sent;

  private final SiteDoor door =
      new SiteDoor() {
        @Override
        public boolean knows(String site) {
          return true;
        }

        @Override
        public SiteReply command(String site, UUID id, int seconds, List<String> words) {
          asked.add(String.join(" ", words));
          ids.add(id);
          return replies.remove();
        }

        @Override
        public SiteReply look(String site, String reservation) {
          asked.add("look " + reservation);
          return replies.remove();
        }
      };

  private static CommandId id(long ms, long tail) {
    return new CommandId(ByteBuffer.allocate(16).putLong(ms << 16).putLong(tail).array());
  }

  private PartNews run(WholeState whole, PartState part, long nowMs, SiteReply... answers)
      throws InterruptedException {
    replies.clear();
    replies.addAll(List.of(answers));
    asked.clear();
    ids.clear();
    SitePart there =
        SitePart.newBuilder()
            .setWish(new SiteWish("far", "P1", 2))
            .setHoldId(id(NOW_MS, 1))
            .setSettleId(id(NOW_MS + 1000, 2))
            .build();
    WholePart one =
        WholePart.newBuilder()
            .setPartition("far:P1")
            .setShard(-1)
            .setReservationId(part == PartState.ASKED ? "" : "R17")
            .setState(part)
            .setThere(there)
            .build();
    ReservationWhole all =
        ReservationWhole.newBuilder()
            .setId("W3.vm")
            .setNumber(3L)
            .setOwner("ann")
            .setState(whole)
            .setParts(List.of(one))
            .setArguments(List.of("-U", "ann"))
            .setCreatedMs(NOW_MS)
            .setEndMs(NOW_MS + 7_200_000)
            .build();
    PartRequest request = new PartRequest(all, 0, door, nowMs, first);
    PartNews news = request.run();
    sent = request.wasSent();
    assertTrue(replies.isEmpty(), "all answers are looked at");
    return news;
  }

  private PartNews run(WholeState whole, PartState part, SiteReply... answers)
      throws InterruptedException {
    return run(whole, part, NOW_MS + 2000, answers);
  }

  @Test
  void itIsHeldUnderOneId() throws Exception {
    PartNews held = run(WholeState.HOLDING, PartState.ASKED, OK);
    assertEquals(List.of(PartState.HELD, "R17"), List.of(held.state(), held.id()));
    assertEquals(List.of("plus_reserve -T --at P1=2 -U ann"), asked);
    UUID first = ids.get(0);
    assertEquals(7, first.version());
    assertEquals(2, first.variant());
    assertEquals(NOW_MS, first.getMostSignificantBits() >>> 16);
    run(WholeState.HOLDING, PartState.ASKED, NOW_MS + 60_000, LOST);
    assertEquals(first, ids.get(0));
  }

  @Test
  void whatIsRefusedIsNotThere() throws Exception {
    PartNews denied =
        run(
            WholeState.HOLDING,
            PartState.ASKED,
            new SiteReply.Said(1, "", "plus_reserve: denied: too little is free\n"));
    assertEquals(PartState.GONE, denied.state());
    assertEquals("too little is free", denied.why());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "W3", "R17 R18", "R17; rm", "R", "R1234567890123456789", "<html>"})
  void whatIsNotUnderstoodIsNotHeld(String out) throws Exception {
    PartNews news = run(WholeState.HOLDING, PartState.ASKED, new SiteReply.Said(0, out, ""));
    assertEquals(PartState.ASKED, news.state());
    assertTrue(news.hopeless());
    assertTrue(news.why().startsWith("its answer is not understood: "), news.why());
  }

  @Test
  void whatADoorHasRefusedIsNotThere() throws Exception {
    first = true;
    SiteReply refused = new SiteReply.Unknown("HTTP 401, no valid credential", true, true);
    PartNews news = run(WholeState.HOLDING, PartState.ASKED, refused);
    assertEquals(PartState.GONE, news.state());
    assertEquals("HTTP 401, no valid credential", news.why());
    assertEquals(PartState.HELD, run(WholeState.CONFIRMING, PartState.HELD, refused).state());
    SiteReply nonsense = new SiteReply.Unknown("not understood", true, false);
    assertEquals(PartState.ASKED, run(WholeState.HOLDING, PartState.ASKED, nonsense).state());
  }

  @ParameterizedTest
  @CsvSource({"110", "111", "255", "-1"})
  void whoIsNotSureIsAskedAgain(int status) throws Exception {
    PartNews news =
        run(WholeState.HOLDING, PartState.ASKED, new SiteReply.Said(status, "", "x: away\n"));
    assertEquals(PartState.ASKED, news.state());
    assertEquals("far is not sure what it has done (x: away)", news.why());
    assertEquals(false, news.hopeless());
  }

  @Test
  void itIsCommitted() throws Exception {
    assertEquals(PartState.COMMITTED, run(WholeState.CONFIRMING, PartState.HELD, OK).state());
    assertEquals(List.of("plus_commit -r R17"), asked);
    PartNews lost = run(WholeState.CONFIRMING, PartState.HELD, LOST);
    assertEquals(PartState.HELD, lost.state());
    assertEquals("no answer", lost.why());
    PartNews before = run(WholeState.CONFIRMING, PartState.HELD, NO, NO, KEPT);
    assertEquals(PartState.COMMITTED, before.state(), "it was, and the answer was lost");
    PartNews late = run(WholeState.CONFIRMING, PartState.HELD, NO, NO, ABSENT);
    assertEquals(PartState.GONE, late.state());
    assertTrue(late.why().startsWith("the commit came too late"), late.why());
    assertEquals(PartState.HELD, run(WholeState.CONFIRMING, PartState.HELD, NO, NO, HELD).state());
    assertEquals(PartState.HELD, run(WholeState.CONFIRMING, PartState.HELD, NO, NO, LOST).state());
  }

  @Test
  void whatWasRefusedOnceIsTriedUnderAnotherId() throws Exception {
    assertEquals(PartState.COMMITTED, run(WholeState.CONFIRMING, PartState.HELD, NO, OK).state());
    assertNotEquals(ids.get(0), ids.get(1));
  }

  @Test
  void itIsLookedAt() throws Exception {
    PartNews seen = run(WholeState.KEPT, PartState.COMMITTED, KEPT);
    assertEquals(List.of("RUNNING", List.of("n1 (down)")), List.of(seen.shown(), seen.lost()));
    assertEquals("it is there no more", run(WholeState.KEPT, PartState.COMMITTED, ABSENT).why());
    assertEquals(PartState.COMMITTED, run(WholeState.KEPT, PartState.COMMITTED, LOST).state());
  }

  /** Its clock may be wrong: that the window is over is for the shard to say. */
  @Test
  void nothingIsConcludedFromTheClockHere() throws Exception {
    long over = NOW_MS + 100 * 7_200_000L;
    assertEquals(
        PartState.COMMITTED, run(WholeState.KEPT, PartState.COMMITTED, over, LOST).state());
    assertEquals(PartState.ASKED, run(WholeState.HOLDING, PartState.ASKED, over).state());
    assertEquals(PartState.ASKED, run(WholeState.ENDING, PartState.ASKED, over).state());
    assertEquals(List.of(), asked, "an id that is so old is refused");
  }

  @Test
  void itIsGivenBack() throws Exception {
    PartNews aborted = run(WholeState.ENDING, PartState.HELD, HELD, OK, ABSENT);
    assertEquals(PartState.GONE, aborted.state());
    assertEquals(List.of("look R17", "plus_abort -r R17", "look R17"), asked);
    run(WholeState.ENDING, PartState.HELD, KEPT, OK, ABSENT);
    assertEquals("plus_cancel -r R17", asked.get(1), "it was committed meanwhile");
    assertEquals(PartState.GONE, run(WholeState.ENDING, PartState.HELD, ABSENT).state());
    PartNews busy =
        run(
            WholeState.ENDING,
            PartState.COMMITTED,
            KEPT,
            OK,
            new SiteReply.ShownThere("BEING_DELETED", "", List.of()));
    assertEquals(PartState.COMMITTED, busy.state());
    assertEquals("it is not gone yet there, BEING_DELETED", busy.why());
    PartNews ends =
        run(
            WholeState.ENDING,
            PartState.COMMITTED,
            new SiteReply.ShownThere("DELETING_JOBS", "", List.of()),
            ABSENT);
    assertEquals(PartState.GONE, ends.state());
  }

  /** A request that was sent and not answered could still be carried out: it is sent once more. */
  @Test
  void whatWasNotHeardOfIsAskedForAgainAndGivenBack() throws Exception {
    PartNews gone = run(WholeState.ENDING, PartState.ASKED, OK, HELD, OK, ABSENT);
    assertEquals(PartState.GONE, gone.state());
    assertEquals(
        List.of("plus_reserve -T --at P1=2 -U ann", "look R17", "plus_abort -r R17", "look R17"),
        asked);
    UUID hold = ids.get(0);
    run(WholeState.HOLDING, PartState.ASKED, OK);
    assertEquals(hold, ids.get(0));
    assertEquals(PartState.ASKED, run(WholeState.ENDING, PartState.ASKED, LOST).state());
  }

  /** The attempt before may have been carried out: a refusal of this one says nothing about it. */
  @Test
  void theRefusalOfALaterAttemptIsNoProof() throws Exception {
    SiteReply door401 = new SiteReply.Unknown("HTTP 401, no valid credential", true, true);
    SiteReply early = new SiteReply.Said(1, "", "plus_reserve: Bad time specification(s)\n");
    SiteReply denied = new SiteReply.Said(1, "", "plus_reserve: denied: too little is free\n");
    for (WholeState state : List.of(WholeState.HOLDING, WholeState.ENDING)) {
      first = false;
      for (SiteReply refused : List.of(door401, early)) {
        PartNews news = run(state, PartState.ASKED, refused);
        assertEquals(PartState.ASKED, news.state(), news::toString);
        assertTrue(news.hopeless(), news::toString);
      }
      assertEquals(PartState.GONE, run(state, PartState.ASKED, denied).state(), "of its shard");
    }
    first = true;
    for (SiteReply refused : List.of(door401, early, denied)) {
      assertEquals(PartState.GONE, run(WholeState.HOLDING, PartState.ASKED, refused).state());
    }
  }

  @Test
  void whatWasNeverAskedForIsNotThere() throws Exception {
    first = true;
    assertEquals(PartState.GONE, run(WholeState.ENDING, PartState.ASKED).state());
    assertEquals(List.of(), asked);
  }

  @Test
  void itIsKnownWhetherItWasSent() throws Exception {
    first = true;
    run(WholeState.HOLDING, PartState.ASKED, LOST);
    assertTrue(sent);
    run(WholeState.HOLDING, PartState.ASKED, new SiteReply.Unknown("cannot connect", false, true));
    assertEquals(false, sent);
  }

  @Test
  void afterAnHourIdsAreNew() throws Exception {
    run(WholeState.ENDING, PartState.COMMITTED, KEPT, OK, ABSENT);
    UUID first = ids.get(0);
    run(WholeState.ENDING, PartState.COMMITTED, KEPT, OK, ABSENT);
    assertEquals(first, ids.get(0));
    long later = NOW_MS + PartRequest.ID_MS + 2000;
    run(WholeState.ENDING, PartState.COMMITTED, later, KEPT, OK, ABSENT);
    assertNotEquals(first, ids.get(0));
    assertEquals(later, ids.get(0).getMostSignificantBits() >>> 16);
  }

  @Test
  void needs() {
    WholePart local =
        WholePart.newBuilder().setPartition("P1").setShard(1).setState(PartState.ASKED).build();
    ReservationWhole whole =
        ReservationWhole.newBuilder()
            .setId("W3.vm")
            .setNumber(3L)
            .setOwner("ann")
            .setState(WholeState.HOLDING)
            .setParts(List.of(local))
            .setCreatedMs(NOW_MS)
            .build();
    assertEquals(PartRequest.Need.NOTHING, PartRequest.need(whole, local));
  }
}
