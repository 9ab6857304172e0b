package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.ReservationDegraded;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.BookingTimes;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.BookingWrites;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reservations that come again. */
class StandingTest {
  private static final int NO_ROOM = PbsError.NO_ROOM.code();

  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  /** An hour long, at hours from the beginning. */
  private ReservationSpec spec(long ncpus, double... hours) {
    ReservationSpec spec = all.spec("ann", hours[0], hours[0] + 1, "", chunk(1, ncpus));
    List<Long> later = new ArrayList<>();
    for (int i = 1; i < hours.length; i++) {
      later.add(all.beginMs + (long) (hours[i] * Reserving.HOUR_MS));
    }
    spec.setLaterMs(later);
    spec.setRule("FREQ=HOURLY;COUNT=" + hours.length);
    return spec;
  }

  private int confirm(
      String id, NodeShare first, List<List<NodeShare>> placements, Integer... lies) {
    ConfirmReservation proposal =
        ReservationCalls.confirm(
            shards.engine("default"),
            shards.epoch("default"),
            "default",
            all.find(id),
            List.of(first));
    proposal.setPlacements(placements);
    proposal.setLies(List.of(lies));
    return shards.ask(0, proposal).getCode();
  }

  private static NodeShare on(String node, long ncpus) {
    return Calls.share(node, 1, ncpus);
  }

  @Test
  void eachOccurrenceIsBooked() {
    String id = all.submit(spec(3, 1, 3, 5));
    assertTrue(id.startsWith("S"), id);
    var placements = List.of(List.of(on("n1", 3)), List.of(on("n0", 3)));
    assertEquals(0, confirm(id, on("n0", 3), placements, 0, 1));
    Reservation one = all.find(id);
    assertEquals(ReservationState.CONFIRMED, one.getState());
    assertEquals(3, one.getOccurrences());
    assertEquals(3, all.bookings().stream().mapToInt(BookingTimes::count).sum());
    String other = all.submit(all.spec("bob", 3.5, 4, "", chunk(1, 2)));
    assertEquals(NO_ROOM, all.confirm(other, on("n1", 2)), "booked for the second one");
    assertEquals(0, all.confirm(other, on("n0", 2)));
    String longer = shards.submit(job("bob", "workq", 2, 6));
    assertEquals(NO_ROOM, all.run(longer, "n1", 2));
  }

  @Test
  void allOccurrencesHaveRoomOrItIsNotConfirmed() {
    all.reserved("bob", 3, 4, "n0", 2);
    String id = all.submit(spec(3, 1, 3, 5));
    var n0 = List.of(List.of(on("n0", 3)));
    assertEquals(NO_ROOM, confirm(id, on("n0", 3), n0, 0, 0));
    assertEquals(NO_ROOM, confirm(id, on("n0", 3), n0, 0), "one is missing");
    assertEquals(NO_ROOM, confirm(id, on("n0", 3), n0, 1, 0), "no such placement");
    assertEquals(NO_ROOM, confirm(id, on("n0", 3), List.of(List.of(on("n1", 2))), 0, 0));
    assertEquals(0, confirm(id, on("n0", 3), List.of(List.of(on("n1", 3))), 0, 0));
  }

  @Test
  void theEndOfAnOccurrenceDeletesItsRunsAndKeepsWhatWaits() {
    String id = all.submit(spec(2, 1, 3));
    assertEquals(0, confirm(id, on("n0", 2), List.of(List.of(on("n1", 2))), 0));
    String queue = Reserving.queue(id);
    String runs = shards.submit(job("ann", queue, 2, 0));
    String waits = shards.submit(job("ann", queue, 2, 0));
    all.toHour(1);
    assertEquals(0, all.run(runs, "n0", 2));
    shards.started(shards.lastStart());
    all.toHour(2);
    assertEquals(ReservationState.DELETING_JOBS, all.find(id).getState());
    shards.finished(shards.lastStart(), 143);
    shards.pass(1);
    assertEquals(JobStatus.FINISHED, shards.job(runs).getStatus());
    assertEquals(JobStatus.QUEUED, shards.job(waits).getStatus());
    Reservation next = all.find(id);
    assertEquals(ReservationState.CONFIRMED, next.getState());
    assertEquals(2, next.getOccurrence());
    assertEquals("(n1:ncpus=2)", next.getNodes());
    assertEquals(1, all.bookings().size());
    assertEquals(PbsError.STALE_PROPOSAL.code(), all.run(waits, "n1", 2), "between");
    assertEquals(0, all.queued(job("ann", queue, 2, 0)), "the queue takes jobs");
    all.toHour(3);
    assertEquals(0, all.run(waits, "n1", 2));
    shards.started(shards.lastStart());
    all.toHour(4);
    shards.finished(shards.lastStart(), 143);
    shards.pass(1);
    assertNull(all.find(id), "the last one ends it, with its jobs");
    assertTrue(all.bookings().isEmpty());
  }

  /** The commands of its work come behind others: the next occurrence may have begun by then. */
  @Test
  void whatWasToEndRunsOfOneOccurrenceLeavesThoseOfTheNext() {
    String id = all.submit(spec(2, 1, 3));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    String runs = shards.submit(job("ann", Reserving.queue(id), 2, 0));
    all.toHour(3);
    assertEquals(2, all.find(id).getOccurrence());
    assertEquals(0, all.run(runs, "n0", 2));
    shards.started(shards.lastStart());
    String which = Keys.reserved(all.find(id).getNumber()) + " server";
    shards.send(
        0,
        new Continue(
            shards.calls.silent("shard-0", Role.SHARD, shards.nowMs), "reserved-runs", which));
    shards.run();
    assertNull(shards.lastKill());
    assertEquals(KillPurpose.NONE, shards.job(runs).getKilling());
  }

  /** More of them than one command looks at; what is sent does not grow with those that end. */
  @Test
  void eachRunIsEndedOnce() {
    shards.nodeUp("n0", 25);
    String id = all.submit(spec(25, 1, 3));
    assertEquals(0, all.confirm(id, on("n0", 25)));
    all.toHour(1);
    List<StartRun> runs = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      assertEquals(0, all.run(shards.submit(job("ann", Reserving.queue(id), 1, 0)), "n0", 1));
      runs.add(shards.lastStart());
      shards.started(shards.lastStart());
    }
    all.toHour(2);
    for (StartRun run : runs) {
      assertEquals(ReservationState.DELETING_JOBS, all.find(id).getState());
      shards.finished(run, 143);
      shards.pass(1);
    }
    assertEquals(2, all.find(id).getOccurrence());
    assertEquals(25, shards.dispatch().stream().filter(KillRun.class::isInstance).count());
  }

  @Test
  void oneMayBeDeletedWhileItsRunsAreBeingDeleted() {
    String id = all.submit(spec(2, 1, 3));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    String runs = shards.submit(job("ann", Reserving.queue(id), 2, 0));
    all.toHour(1);
    assertEquals(0, all.run(runs, "n0", 2));
    shards.started(shards.lastStart());
    all.toHour(2);
    assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.user("ann"), id)).getCode());
    assertEquals(ReservationState.BEING_DELETED, all.find(id).getState());
    shards.finished(shards.lastStart(), 143);
    shards.pass(1);
    assertNull(all.find(id));
  }

  /** The server was away, or the runs did not end: what is over by then is passed over. */
  @Test
  void occurrencesThatAreOverArePassedOver() {
    String id = all.submit(spec(2, 1, 3, 5, 7));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    String runs = shards.submit(job("ann", Reserving.queue(id), 2, 0));
    all.toHour(1);
    assertEquals(0, all.run(runs, "n0", 2));
    shards.started(shards.lastStart());
    all.toHour(5.5);
    shards.finished(shards.lastStart(), 143);
    shards.pass(1);
    assertEquals(3, all.find(id).getOccurrence());
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
  }

  @Test
  void aNodeThatIsLostIsSeenWhenTheOccurrenceComes() {
    String id = all.submit(spec(2, 1, 3));
    assertEquals(0, confirm(id, on("n0", 2), List.of(List.of(on("n1", 2))), 0));
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n1", "state=offline");
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
    all.toHour(2);
    assertEquals(
        List.of(all.beginMs + Reserving.HOUR_MS),
        shards.facts(ReservationReturned.class).stream()
            .map(ReservationReturned::getOverStartMs)
            .toList());
    assertEquals(ReservationState.DEGRADED, all.find(id).getState());
    assertEquals(0, all.confirm(id, on("n0", 2)));
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
  }

  @Test
  void aNodeWithManyOccurrencesIsLostOnce() {
    String id = all.submit(spec(2, 1, 3, 5, 7));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    assertEquals(ReservationState.DEGRADED, all.find(id).getState());
    assertEquals(1, shards.facts(ReservationDegraded.class).size());
  }

  @Test
  void whatIsKeptOfAPastOneIsWithoutItsPlaces() {
    String id = all.submit(spec(2, 1, 3));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.user("ann"), id)).getCode());
    List<Reservation> past = new ArrayList<>();
    shards.tables(0).table(PastReservation.class).each(it -> past.add(it.getReservation()));
    assertEquals(id, past.get(0).getId());
    assertEquals(List.of(), past.get(0).getPlacements().get(0).getShares());
  }

  @Test
  void timesThatNoRuleMakesAreRefused() {
    assertEquals(PbsError.BAD_TIMES.code(), all.submitted(spec(2, 1, 1.5)), "overlaps");
    assertEquals(PbsError.BAD_TIMES.code(), all.submitted(spec(2, 3, 1)), "goes back");
    ReservationSpec none = spec(2, 1, 3);
    none.setRule("");
    assertEquals(PbsError.BAD_RULE.code(), all.submitted(none));
    ReservationSpec far = spec(2, 1, 3);
    far.setLaterMs(List.of(Long.MAX_VALUE - 1));
    assertEquals(PbsError.BAD_TIMES.code(), all.submitted(far));
  }

  /** Hours in a row, of so many chunks. */
  private ReservationSpec often(int times, int chunks) {
    double[] hours = new double[times];
    for (int i = 0; i < times; i++) {
      hours[i] = i + 1;
    }
    ReservationSpec spec = spec(1, hours);
    spec.setRequest(Calls.request("", chunk(chunks, 1)));
    return spec;
  }

  @Test
  void whatAllOccurrencesBookIsBounded() {
    Reply many = shards.ask(0, all.submission(often(RepeatedTimes.MAX + 1, 1), 0));
    assertEquals(PbsError.BAD_TIMES.code(), many.getCode());
    assertEquals(List.of("Bad time specification(s): at most 2000 occurrences"), many.getLines());
    Reply large = shards.ask(0, all.submission(often(RepeatedTimes.MAX, 65), 0));
    assertEquals(PbsError.ILLEGAL_VALUE.code(), large.getCode());
    assertTrue(large.getLines().get(0).contains("at most 128000 chunks"), large::toString);
    assertEquals(0, all.submitted(often(RepeatedTimes.MAX, 64)));
  }

  /** Each of them is in a few records of each node, and the end of one changes one of these. */
  @Test
  void manyOccurrencesAreBookedInFewRecords() {
    double[] hours = new double[RepeatedTimes.MAX];
    for (int i = 0; i < hours.length; i++) {
      hours[i] = 1 + 2 * i;
    }
    String id = all.submit(spec(3, hours));
    assertEquals(0, all.confirm(id, on("n0", 3)));
    assertEquals(hours.length, all.bookings().stream().mapToInt(BookingTimes::count).sum());
    assertTrue(all.bookings().size() <= 5, () -> all.bookings().size() + " records");
    String other = all.submit(all.spec("bob", 3001, 3002, "", chunk(1, 2)));
    assertEquals(NO_ROOM, all.confirm(other, on("n0", 2)));
    String between = all.submit(all.spec("bob", 3002, 3003, "", chunk(1, 2)));
    assertEquals(0, all.confirm(between, on("n0", 2)));
    List<NodeBooking> before = all.bookings();
    all.toHour(2);
    assertEquals(2, all.find(id).getOccurrence());
    List<NodeBooking> after = all.bookings();
    assertEquals(before.size(), after.size());
    before.removeAll(after);
    assertEquals(2, before.size(), "the one that is over, and those that the next one was among");
  }

  /** The node has room for one more booking, not for two. */
  @Test
  void eachOccurrenceCountsAmongTheBookingsOfItsNode() {
    for (int i = 1; i < Placing.BOOKINGS_MAX; i++) {
      NodeBooking booking =
          new NodeBooking(
              "n0", 1_000_000L, all.beginMs - i, all.beginMs, Map.of(), false, List.of());
      String key = Keys.booking("n0", all.beginMs - i, 1_000_000L);
      BookingWrites.put(shards.tables(0), key, booking);
    }
    String id = all.submit(spec(1, 1, 3));
    assertEquals(NO_ROOM, confirm(id, on("n0", 1), List.of(), 0));
    assertEquals(NO_ROOM, confirm(id, on("n0", 1), List.of(List.of(on("n0", 1))), 0));
    assertEquals(0, confirm(id, on("n0", 1), List.of(List.of(on("n1", 1))), 0));
  }

  private int alter(String id, Double fromHour, Double toHour, Chunk... chunks) {
    var wish = ReservationCalls.alter(shards.user("ann"), id);
    wish.setStartMs(fromHour == null ? null : atHour(fromHour));
    wish.setEndMs(toHour == null ? null : atHour(toHour));
    wish.setRequest(chunks.length == 0 ? null : Calls.request("", chunks));
    return shards.ask(0, wish.build()).getCode();
  }

  private long atHour(double hour) {
    return all.beginMs + (long) (hour * Reserving.HOUR_MS);
  }

  /** What is booked of nodes is what the record says to everybody else. */
  private String booked(String id) {
    List<String> texts = new ArrayList<>();
    for (BookedTime time : BookedTime.of(all.find(id))) {
      time.booked().forEach(it -> texts.add(text(it.getNode(), time.startMs(), time.endMs())));
    }
    List<String> bookings = new ArrayList<>();
    for (NodeBooking it : all.bookings()) {
      BookingTimes.within(
          it, 0, Long.MAX_VALUE, (from, to) -> bookings.add(text(it.getNode(), from, to)));
    }
    assertEquals(texts.stream().sorted().toList(), bookings.stream().sorted().toList());
    return String.join(" ", texts);
  }

  private String text(String node, long startMs, long endMs) {
    double hour = Reserving.HOUR_MS;
    return node + ":" + (startMs - all.beginMs) / hour + "-" + (endMs - all.beginMs) / hour;
  }

  @Test
  void oneOccurrenceIsAlteredAlone() {
    String id = all.submit(spec(2, 1, 3, 5));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    assertEquals(0, alter(id, 1.5, 2.5));
    assertEquals(ReservationState.BEING_ALTERED, all.find(id).getState());
    assertEquals("n0:1.0-2.0 n0:3.0-4.0 n0:5.0-6.0", booked(id), "as it was until it is decided");
    assertEquals(0, all.confirm(id, on("n1", 2)));
    assertEquals("n1:1.5-2.5 n0:3.0-4.0 n0:5.0-6.0", booked(id));
    assertEquals(0, alter(id, null, 2.75));
    assertEquals(0, all.confirm(id, on("n1", 2)));
    assertEquals("n1:1.5-2.75 n0:3.0-4.0 n0:5.0-6.0", booked(id));
    all.toHour(2.8);
    assertEquals(2, all.find(id).getOccurrence());
    assertEquals(atHour(2.75), shards.facts(ReservationReturned.class).get(0).getOverEndMs());
    assertEquals("n0:3.0-4.0 n0:5.0-6.0", booked(id));
    assertNull(all.find(id).getUsual());
    all.toHour(3.5);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    assertEquals(0, alter(id, null, 4.5));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    assertEquals("n0:3.0-4.5 n0:5.0-6.0", booked(id));
    all.toHour(5.5);
    assertEquals(0, alter(id, null, 9.0), "there is no later one");
    assertEquals(0, all.confirm(id, on("n0", 2)));
    all.toHour(9.1);
    assertNull(all.find(id));
    assertEquals(List.of(), all.bookings());
  }

  /** As after a time without a server. */
  @Test
  void whatIsIdleAndOverAtOnceIsOverOnce() {
    ReservationSpec spec = spec(2, 1, 3, 5);
    spec.setDeleteIdleS(1800L);
    String id = all.submit(spec);
    assertEquals(0, all.confirm(id, on("n0", 2)));
    all.toHour(1);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    all.toHour(2.5);
    assertEquals(2, all.find(id).getOccurrence());
    assertEquals("n0:3.0-4.0 n0:5.0-6.0", booked(id));
  }

  @Test
  void oneThatEndsWhereTheNextBeginsMayBeAlteredOtherwise() {
    String id = all.submit(spec(2, 1, 2, 3));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    assertEquals(0, alter(id, 1.25, null));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    assertEquals("n0:1.25-2.0 n0:2.0-3.0 n0:3.0-4.0", booked(id));
    assertEquals(PbsError.OCCURRENCE_CONFLICT.code(), alter(id, null, 2.25));
  }

  @Test
  void anAlteredOccurrenceDoesNotReachTheNext() {
    String id = all.submit(spec(2, 1, 3, 5));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    int conflict = PbsError.OCCURRENCE_CONFLICT.code();
    assertEquals(conflict, alter(id, null, 3.0));
    assertEquals(conflict, alter(id, 3.5, 3.75));
    assertEquals(PbsError.BAD_TIMES.code(), alter(id, 2.5, 2.0));
    assertEquals(0, alter(id, 2.0, 2.99));
    assertEquals(0, all.deny(id));
    assertEquals("n0:1.0-2.0 n0:3.0-4.0 n0:5.0-6.0", booked(id));
    assertNull(all.find(id).getUsual());
  }

  @Test
  void fewerChunksAreFewerForOneOccurrence() {
    ReservationSpec wish = spec(2, 1, 3, 5);
    wish.setRequest(Calls.request("", chunk(2, 2)));
    String id = all.submit(wish);
    assertEquals(0, all.confirm(id, on("n0", 2), on("n1", 2)));
    var usual = all.find(id).getSpec().getRequest();
    assertEquals(PbsError.SELECT_NOT_SUBSET.code(), alter(id, null, null, chunk(3, 2)));
    assertEquals(0, alter(id, null, null, chunk(1, 2)));
    assertEquals(0, all.confirm(id, on("n1", 2)));
    assertEquals(1, all.find(id).getSpec().getRequest().getChunks().get(0).getCount());
    assertEquals("n1:1.0-2.0 n0:3.0-4.0 n1:3.0-4.0 n0:5.0-6.0 n1:5.0-6.0", booked(id));
    all.toHour(2);
    assertEquals(usual, all.find(id).getSpec().getRequest());
    assertEquals("n0:3.0-4.0 n1:3.0-4.0 n0:5.0-6.0 n1:5.0-6.0", booked(id));
  }

  @Test
  void anAlteredOccurrenceThatLosesItsNodeGetsOneForWhatItIsNow() {
    ReservationSpec wish = spec(2, 1, 3);
    wish.setRequest(Calls.request("", chunk(2, 2)));
    String id = all.submit(wish);
    assertEquals(0, all.confirm(id, on("n0", 2), on("n1", 2)));
    assertEquals(0, alter(id, null, null, chunk(1, 2)));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    assertEquals(ReservationState.DEGRADED, all.find(id).getState());
    assertEquals(NO_ROOM, all.confirm(id, on("n1", 2), on("n1", 2)), "that is too much");
    assertEquals(0, all.confirm(id, on("n1", 2)));
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
    assertEquals("n1:1.0-2.0 n0:3.0-4.0 n1:3.0-4.0", booked(id));
    shards.must(ChangeOperation.UNSET, ObjectKind.NODE, "n0", "state");
    all.toHour(2);
    assertEquals("(n0:ncpus=2)+(n1:ncpus=2)", all.find(id).getNodes());
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
  }

  @Test
  void whatNobodyHasDecidedEndsWithTheOccurrence() {
    String id = all.submit(spec(2, 1, 3, 5));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    all.toHour(1.5);
    assertEquals(0, alter(id, null, 2.5));
    all.toHour(2);
    Reservation next = all.find(id);
    assertEquals(2, next.getOccurrence());
    assertNull(next.getAsked());
    assertEquals(ReservationState.CONFIRMED, next.getState());
    assertEquals(atHour(4), next.getSpec().getEndMs());
  }

  @Test
  void aManagerForcesTheTimesOfOneOccurrence() {
    String id = all.submit(spec(2, 1, 3, 5));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    var force = ReservationCalls.alter(shards.manager(), id).setEndMs(atHour(2.5)).setForce(true);
    assertEquals(List.of(id + " CONFIRMED"), shards.ask(0, force.build()).getLines());
    assertEquals("n0:1.0-2.5 n0:3.0-4.0 n0:5.0-6.0", booked(id));
    all.toHour(2.5);
    assertEquals("n0:3.0-4.0 n0:5.0-6.0", booked(id));
  }

  @Test
  void namesAreThoseOfAllOccurrences() {
    String id = all.submit(spec(2, 1, 3));
    assertEquals(0, all.confirm(id, on("n0", 2)));
    var named = ReservationCalls.alter(shards.user("ann"), id).setName("mine").build();
    assertEquals(0, shards.ask(0, named).getCode());
    all.toHour(2);
    assertEquals("mine", all.find(id).getSpec().getName());
  }
}
