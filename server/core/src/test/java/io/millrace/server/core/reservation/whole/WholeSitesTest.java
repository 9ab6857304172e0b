package io.millrace.server.core.reservation.whole;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ReportSitePart;
import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.SitePartSeen;
import io.millrace.schemas.fact.SitesConfirming;
import io.millrace.schemas.fact.WholeEnded;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reservations with parts in other installations, as their coordinator sees them. */
class WholeSitesTest {
  private final Together all = new Together();

  private ReserveTogether begun(String... partitions) {
    ReserveTogether wish = all.wish("ann", 1, List.of("far"), partitions);
    all.shards.send(1, wish);
    all.shards.run();
    return wish;
  }

  private void hear(PartState state, String id) {
    hear(all.report(state, id, false, ""));
  }

  private void hear(ReportSitePart report) {
    all.shards.send(1, report);
    all.shards.run();
  }

  private ReservationWhole whole() {
    return all.wholes().get(0);
  }

  private WholePart far() {
    List<WholePart> parts = whole().getParts();
    return parts.get(parts.size() - 1);
  }

  private List<String> lines(ReserveTogether wish) {
    Reply reply = all.shards.answer(wish.getMeta());
    return reply == null ? null : reply.getLines();
  }

  @Test
  void otherInstallationsAreToldFirst() {
    ReserveTogether wish = begun(Together.EAST);
    assertEquals("far:P1", far().getPartition());
    assertNull(far().getThere().getSettleId());
    hear(PartState.HELD, "R17");
    all.confirmIn(Together.EAST);
    assertEquals(WholeState.CONFIRMING, whole().getState());
    assertNotNull(far().getThere().getSettleId());
    assertEquals(1, all.shards.facts(SitesConfirming.class).size());
    assertNotNull(all.in(Together.EAST).getPending(), "nothing here stays yet");
    assertNull(lines(wish));
    hear(PartState.COMMITTED, "R17");
    assertEquals(WholeState.KEPT, whole().getState());
    assertNull(all.in(Together.EAST).getPending());
    assertTrue(lines(wish).get(0).endsWith(" CONFIRMED"), () -> "" + lines(wish));
  }

  @Test
  void oneThatIsElsewhereAlone() {
    ReserveTogether wish = begun();
    hear(PartState.HELD, "R17");
    hear(PartState.COMMITTED, "R17");
    assertTrue(lines(wish).get(0).endsWith(" CONFIRMED"), () -> "" + lines(wish));
    String id = whole().getId();
    all.shards.send(1, all.deletion(all.shards.user("ann"), id));
    all.shards.run();
    assertEquals(WholeState.ENDING, whole().getState());
    hear(PartState.GONE, "R17");
    assertEquals(List.of(), all.wholes());
  }

  @Test
  void aCommitThatComesTooLateUndoesTheRest() {
    ReserveTogether wish = begun(Together.EAST);
    hear(PartState.HELD, "R17");
    all.confirmIn(Together.EAST);
    hear(all.report(PartState.GONE, "R17", false, "the commit came too late"));
    assertEquals("far:P1: the commit came too late", lines(wish).get(1));
    assertTrue(lines(wish).get(0).endsWith(" DENIED"));
    assertEquals(List.of(), all.parts());
    assertEquals(List.of(), all.wholes());
    assertEquals(1, all.shards.facts(WholeEnded.class).size());
  }

  @Test
  void oneThatHasSaidYesIsTakenBackWhenAnotherIsTooLate() {
    ReserveTogether wish = all.wish("ann", 1, List.of("near", "far"), Together.EAST);
    all.shards.send(1, wish);
    all.shards.run();
    all.confirmIn(Together.EAST);
    ReportSitePart near = all.report(PartState.HELD, "R5", false, "");
    near.setPart(1);
    hear(near);
    hear(PartState.HELD, "R17");
    near = all.report(PartState.COMMITTED, "R5", false, "");
    near.setPart(1);
    hear(near);
    Object told = whole().getParts().get(1).getThere().getSettleId();
    hear(all.report(PartState.GONE, "R17", false, "too late"));
    assertEquals(WholeState.ENDING, whole().getState());
    assertNotEquals(told, whole().getParts().get(1).getThere().getSettleId());
    assertNull(lines(wish), "it is answered when all is undone");
    assertEquals(List.of(), all.parts());
    near = all.report(PartState.GONE, "R5", false, "");
    near.setPart(1);
    hear(near);
    assertEquals("far:P1: too late", lines(wish).get(1));
  }

  @Test
  void aSiteThatDoesNotAnswerItsCommitUndoesAll() {
    ReserveTogether wish = begun(Together.EAST);
    hear(PartState.HELD, "R17");
    all.confirmIn(Together.EAST);
    all.shards.pass(WholeProgress.CONFIRM_MS + 1);
    assertEquals(WholeState.ENDING, whole().getState());
    assertEquals(List.of(), all.parts());
    all.shards.pass(WholeProgress.ENDING_MS + 1);
    assertEquals(
        "far:P1: no answer to its commit in 30 seconds; not yet gone, and ends as soon as its shard"
            + " or installation answers: far:P1",
        lines(wish).get(1));
    hear(PartState.COMMITTED, "R17");
    assertEquals(WholeState.ENDING, whole().getState(), "it has been said that none stays");
    hear(PartState.GONE, "R17");
    assertEquals(List.of(), all.wholes());
  }

  @Test
  void whatIsHopelessIsGivenUpAtOnceAndSaysWhy() {
    ReserveTogether wish = begun(Together.EAST);
    hear(all.report(PartState.ASKED, "", false, "cannot connect"));
    assertEquals("cannot connect", far().getThere().getTrouble());
    assertEquals(WholeState.HOLDING, whole().getState());
    hear(all.report(PartState.ASKED, "", true, "its answer is not understood: <html>"));
    assertEquals(WholeState.ENDING, whole().getState());
    assertEquals(List.of(), all.parts());
    all.shards.pass(WholeProgress.ENDING_MS + 1);
    assertTrue(
        lines(wish)
            .get(1)
            .startsWith("far:P1: its answer is not understood: <html>; not yet gone"));
    hear(PartState.HELD, "R17");
    assertEquals("R17", far().getReservationId(), "its name is known for who gives it back");
    hear(PartState.GONE, "R17");
    assertEquals(List.of(), all.wholes());
  }

  @Test
  void oneThatIsNotReachedInTimeSaysWhy() {
    ReserveTogether wish = begun(Together.EAST);
    hear(all.report(PartState.ASKED, "", false, "cannot connect to far.org:8443"));
    all.shards.pass(WholeRequest.SITES_HOLD_MS + 1);
    all.shards.pass(WholeProgress.ENDING_MS + 1);
    assertTrue(lines(wish).get(1).startsWith("far:P1: cannot connect to far.org:8443; not yet"));
  }

  @Test
  void whatIsShownThereIsKept() {
    begun(Together.EAST);
    hear(PartState.HELD, "R17");
    all.confirmIn(Together.EAST);
    hear(PartState.COMMITTED, "R17");
    int before = all.shards.facts(SitePartSeen.class).size();
    ReportSitePart seen = all.report(PartState.COMMITTED, "R17", false, "");
    seen.setShown("DEGRADED");
    seen.setLost(List.of("n3 (node down)"));
    hear(seen);
    assertEquals("DEGRADED", far().getThere().getShown());
    assertEquals(List.of("n3 (node down)"), far().getThere().getLost());
    ReportSitePart again = all.report(PartState.COMMITTED, "R17", false, "");
    again.setShown("DEGRADED");
    again.setLost(List.of("n3 (node down)"));
    hear(again);
    assertEquals(before + 1, all.shards.facts(SitePartSeen.class).size(), "once");
    hear(all.report(PartState.GONE, "R17", false, "it is there no more"));
    assertEquals(WholeState.KEPT, whole().getState(), "the other part stays");
  }

  @Test
  void lateAndStrangeReportsChangeNothing() {
    begun(Together.EAST);
    hear(PartState.COMMITTED, "R17");
    assertEquals(PartState.ASKED, far().getState(), "nobody has told it to stay");
    hear(PartState.HELD, "");
    assertEquals(PartState.ASKED, far().getState());
    hear(PartState.HELD, "R17");
    hear(PartState.ASKED, "");
    hear(PartState.HELD, "R18");
    assertEquals("R17", far().getReservationId());
    ReportSitePart local = all.report(PartState.GONE, "", false, "");
    local.setPart(0);
    hear(local);
    assertEquals(PartState.ASKED, whole().getParts().get(0).getState());
  }

  @Test
  void wrongRequests() {
    ReserveTogether twice = all.wish("ann", 1, List.of("far", "far"));
    ReserveTogether over = all.wish("ann", -3, List.of("far"));
    ReserveTogether name = all.wish("ann", 1, List.of("../far"));
    ReserveTogether much = all.wish("ann", 1, List.of("far"));
    much.setArguments(List.of("x".repeat(5000)));
    for (ReserveTogether wrong : List.of(twice, over, name, much)) {
      assertNotEquals(0, all.shards.ask(1, wrong).getCode(), wrong::toString);
    }
    assertEquals(List.of(), all.wholes());
  }

  /** A home that speaks to nobody, or an installation that never comes back. */
  @Test
  void whatNobodyHasHeardOfEndsByTheTimeOfTheShard() {
    ReserveTogether wish = all.wish("ann", 30, List.of("nowhere"), Together.EAST);
    all.shards.send(1, wish);
    all.shards.run();
    all.shards.pass(WholeRequest.SITES_HOLD_MS + 1);
    all.shards.pass(WholeProgress.ENDING_MS + 1);
    assertEquals(WholeState.ENDING, whole().getState());
    assertNotNull(lines(wish));
    all.shards.pass(WholeProgress.UNHEARD_MS - 60_000);
    assertEquals(WholeState.ENDING, whole().getState(), "it could still be made there");
    all.shards.pass(60_000);
    assertEquals(List.of(), all.wholes());
    assertEquals(1, all.shards.facts(WholeEnded.class).size());
  }

  @Test
  void whatEndsAndIsNotReachedIsGoneAfterItsWindow() {
    begun(Together.EAST);
    hear(PartState.HELD, "R17");
    all.confirmIn(Together.EAST);
    hear(PartState.COMMITTED, "R17");
    all.shards.send(1, all.deletion(all.shards.user("ann"), whole().getId()));
    all.shards.run();
    all.shards.pass(WholeProgress.ENDING_MS + 1);
    all.shards.pass(Together.HOUR_MS);
    assertEquals(WholeState.ENDING, whole().getState());
    all.shards.pass(Together.HOUR_MS + WholeProgress.OVER_MS);
    assertEquals(List.of(), all.wholes());
  }

  @Test
  void onesThatStayedAreGoneAfterTheirWindow() {
    ReserveTogether wish = all.wish("ann", 1, List.of("near", "far"));
    all.shards.send(1, wish);
    all.shards.run();
    for (PartState state : List.of(PartState.HELD, PartState.COMMITTED)) {
      ReportSitePart near = all.report(state, "R5", false, "");
      near.setPart(0);
      hear(near);
      hear(state, "R17");
    }
    assertEquals(WholeState.KEPT, whole().getState());
    all.shards.pass(2 * Together.HOUR_MS);
    assertEquals(WholeState.KEPT, whole().getState());
    all.shards.pass(WholeProgress.OVER_MS);
    assertEquals(List.of(), all.wholes());
  }

  @Test
  void whatIsAskedOfOthersHasABound() {
    List<String> sites = IntStream.range(0, 64).mapToObj(it -> "s" + it).toList();
    for (List<String> arguments :
        List.of(
            Collections.nCopies(17, "x".repeat(4000)),
            List.of("-U", "x".repeat(4097)),
            Collections.nCopies(65, "x"))) {
      ReserveTogether much = all.wish("ann", 1, sites);
      much.setArguments(arguments);
      Reply reply = all.shards.ask(1, much);
      assertTrue(
          reply.getLines().get(0).contains("would have more than 65536 bytes"), reply::toString);
    }
    assertEquals(List.of(), all.wholes());
  }

  @ParameterizedTest
  @CsvSource({
    "resv_enable=False, reservations disallowed on mill",
    "acl_resv_user_enable=True acl_resv_users=bob, requestor not authorized",
    "acl_resv_group_enable=True acl_resv_groups=staff, group",
    "acl_resv_host_enable=True acl_resv_hosts=other, host",
    "max_reservation_ahead=600, time",
    "max_reservations=[u:ann=1], at most 1",
    "max_reservations=[o:PBS_ALL=1], at most 1",
  })
  void whatHoldsHereHoldsForPartsElsewhere(String pairs, String word) {
    assertNull(all.shards.ask(1, all.wish("ann", 1, List.of("far"))));
    all.shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", pairs.split(" "));
    Reply reply = all.shards.ask(1, all.wish("ann", 1, List.of("far")));
    assertNotNull(reply, pairs);
    assertNotEquals(0, reply.getCode(), reply::toString);
    assertTrue(reply.getLines().get(0).toLowerCase(Locale.ROOT).contains(word), reply::toString);
    assertEquals(1, all.wholes().size());
  }
}
