package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much may be reserved, and for how long. */
class ReservationLimitsTest {
  private static final int LIMIT = PbsError.RESERVATION_LIMIT.code();

  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  private void server(String pair) {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "mill", pair);
  }

  private ReservationSpec spec(String owner, int chunks, long ncpus) {
    return all.spec(owner, 1, 2, "", chunk(chunks, ncpus));
  }

  private Reply asked(ReservationSpec spec) {
    return shards.ask(0, all.submission(spec, 0));
  }

  @Test
  void whatIsReservedIsBoundedForEachAndForAll() {
    server("max_reserved_res.ncpus=[u:PBS_GENERIC=6],[u:bob=4],[o:PBS_ALL=10]");
    String first = all.submit(spec("ann", 2, 2));
    assertEquals(0, all.confirm(first, Calls.share("n0", 1, 2), Calls.share("n1", 1, 2)));
    Reply more = asked(spec("ann", 1, 3));
    assertEquals(LIMIT, more.getCode());
    assertEquals(
        List.of("Too many reservations of u:ann: at most 6 of ncpus together"), more.getLines());
    String second = all.submit(spec("ann", 1, 2));
    assertEquals(LIMIT, all.submitted(spec("bob", 1, 5)), "he is named");
    assertEquals(0, all.submitted(spec("bob", 1, 4)));
    assertEquals(LIMIT, all.submitted(spec("cy", 1, 1)), "of all");
    assertEquals(0, all.deny(second));
    assertEquals(0, all.submitted(spec("cy", 1, 1)), "what is gone counts no more");
    var fewer =
        ReservationCalls.alter(shards.user("ann"), first)
            .setRequest(Calls.request("", chunk(1, 2)));
    assertEquals(0, shards.ask(0, fewer.build()).getCode());
    assertEquals(LIMIT, all.submitted(spec("cy", 1, 4)), "it has not been decided");
    assertEquals(0, all.confirm(first, Calls.share("n0", 1, 2)));
    assertEquals(0, all.submitted(spec("cy", 1, 3)));
    shards.ask(0, ReservationCalls.delete(shards.operator(), first));
    assertEquals(0, all.submitted(spec("cy", 1, 2)));
    assertEquals(LIMIT, all.submitted(spec("cy", 1, 1)), "6 are his, and 10 are all");
  }

  /** PluS can ask for more nodes than there are. */
  @Test
  void oneThatBecomesLargerIsBoundedToo() {
    server("max_reserved_res.ncpus=[u:PBS_GENERIC=6]");
    String id = all.reserved("ann", 1, 2, "n0", 3);
    var larger = ReservationCalls.alter(shards.user("ann"), id).setMore(true);
    larger.setRequest(Calls.request("", chunk(3, 3)));
    assertEquals(LIMIT, shards.ask(0, larger.build()).getCode());
    larger.setMeta(shards.user("ann")).setRequest(Calls.request("", chunk(2, 3)));
    assertEquals(0, shards.ask(0, larger.build()).getCode());
  }

  @Test
  void maintenanceIsNobodysShare() {
    server("max_reserved_res.ncpus=[o:PBS_ALL=1]");
    ReservationSpec spec = all.spec("root", 1, 2, "");
    spec.setMaintained(List.of("n0"));
    assertEquals(0, shards.ask(0, ReservationCalls.submit(shards.manager(), spec, 0)).getCode());
    assertEquals(0, all.submitted(spec("ann", 1, 1)));
  }

  @Test
  void aWindowMayBeTooLong() {
    server("max_reservation_length=01:00:00");
    int badTimes = PbsError.BAD_TIMES.code();
    Reply longer = asked(all.spec("ann", 1, 2.5, "", chunk(1, 1)));
    assertEquals(badTimes, longer.getCode());
    assertEquals(
        List.of("Bad time specification(s): at most 01:00:00 long (max_reservation_length)"),
        longer.getLines());
    String id = all.reserved("ann", 1, 2, "n0", 2);
    var wish = ReservationCalls.alter(shards.user("ann"), id);
    wish.setEndMs(all.beginMs + 3 * Reserving.HOUR_MS);
    assertEquals(badTimes, shards.ask(0, wish.build()).getCode());
    ReservationSpec standing = all.spec("ann", 1, 2, "", chunk(1, 1));
    standing.setRule("FREQ=HOURLY;COUNT=2");
    standing.setLaterMs(List.of(all.beginMs + 5 * Reserving.HOUR_MS));
    assertEquals(0, all.submitted(standing), "each occurrence is as long");
  }

  /** A limit that is lower than what there is keeps nobody from having less. */
  @Test
  void whatIsTooLongByNowMayBecomeSmaller() {
    String id = all.submit(all.spec("ann", 1, 4, "", chunk(2, 2)));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2), Calls.share("n1", 1, 2)));
    server("max_reservation_length=01:00:00");
    assertEquals(0, altered(id, 1).getCode());
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
  }

  private Reply altered(String id, int chunks) {
    var wish = ReservationCalls.alter(shards.user("ann"), id).setMore(true);
    return shards.ask(0, wish.setRequest(Calls.request("", chunk(chunks, 2))).build());
  }

  /** Two could become larger at the same time, each as if the other stayed as it is. */
  @Test
  void whatIsAskedForCountsWhileItIsDecided() {
    server("max_reserved_res.ncpus=[u:PBS_GENERIC=6]");
    String one = all.reserved("ann", 1, 2, "n0", 2);
    String other = all.reserved("ann", 1, 2, "n1", 2);
    assertEquals(0, altered(one, 2).getCode());
    assertEquals(LIMIT, altered(other, 2).getCode());
    assertEquals(0, all.deny(one));
    assertEquals(0, altered(other, 2).getCode());
  }

  @Test
  void whatTheNextOccurrenceHasAgainCountsWhileOneHasLess() {
    server("max_reserved_res.ncpus=[u:PBS_GENERIC=6]");
    ReservationSpec standing = all.spec("ann", 1, 2, "", chunk(2, 2));
    standing.setRule("FREQ=HOURLY;COUNT=2");
    standing.setLaterMs(List.of(all.beginMs + 5 * Reserving.HOUR_MS));
    String id = all.submit(standing);
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2), Calls.share("n0", 1, 2)));
    assertEquals(0, altered(id, 1).getCode());
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    assertEquals(LIMIT, all.submitted(spec("ann", 1, 4)));
    assertEquals(0, all.submitted(spec("ann", 1, 2)));
    all.toHour(3);
    assertEquals(2, all.find(id).getOccurrence());
    assertEquals(LIMIT, all.submitted(all.spec("ann", 5, 6, "", chunk(1, 3))));
  }

  @Test
  void sumsStayNumbers() {
    assertEquals(0, all.submitted(spec("ann", 1, Long.MAX_VALUE - 1)));
    assertEquals(0, all.submitted(spec("bob", 1, 1)));
    assertEquals(PbsError.ILLEGAL_VALUE.code(), all.submitted(spec("cy", 1, 1)));
  }

  @Test
  void projectsHaveNoReservations() {
    for (String limit : List.of("max_reserved_res.ncpus=[p:x=1]", "max_reservations=[p:x=1]")) {
      Reply refused = shards.qmgr(ChangeOperation.SET, ObjectKind.SERVER, "mill", limit);
      assertEquals(PbsError.ILLEGAL_VALUE.code(), refused.getCode(), limit);
    }
  }
}
