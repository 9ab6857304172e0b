package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static io.millrace.server.core.reservation.Reserving.queue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The life of a reservation: asked for, confirmed, begun, ended. */
class ReservationTest {
  private static final int NO_ROOM = PbsError.NO_ROOM.code();
  private static final int STALE = PbsError.STALE_PROPOSAL.code();

  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  @Test
  void isAnsweredAtOnceAndWaitsForItsScheduler() {
    String id = all.submit(all.spec("ann", 1, 2, "", chunk(1, 2)));
    Reservation reservation = all.find(id);
    assertEquals(ReservationState.UNCONFIRMED, reservation.getState());
    assertEquals(List.of("ann@" + Calls.HOST), reservation.getSpec().getUsers());
    assertEquals(3600, reservation.getSpec().getRequest().getWalltimeS());
    assertTrue(all.bookings().isEmpty());
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    reservation = all.find(id);
    assertEquals(ReservationState.CONFIRMED, reservation.getState());
    assertEquals("(n0:ncpus=2)", reservation.getNodes());
    assertEquals("default", reservation.getScheduler());
    assertEquals(1, all.bookings().size());
  }

  @Test
  void onlyTheSchedulerOfThePartitionConfirmsAndOnlyWhatItHasSeen() {
    String id = all.submit(all.spec("ann", 1, 2, "", chunk(1, 2)));
    Reservation seen = all.find(id);
    List<NodeShare> shares = List.of(Calls.share("n0", 1, 2));
    shards.ask(0, Calls.startEngine(shards.engine("es"), "es", false));
    int other =
        shards
            .ask(
                0,
                ReservationCalls.confirm(
                    shards.engine("es"), shards.epoch("es"), "es", seen, shares))
            .getCode();
    assertEquals(STALE, other);
    long epoch = shards.epoch("default");
    int shadow =
        shards
            .ask(0, ReservationCalls.confirm(shards.engine("default"), 0, "default", seen, shares))
            .getCode();
    assertEquals(STALE, shadow);
    assertEquals(0, all.confirm(id, shares.get(0)));
    int again =
        shards
            .ask(
                0,
                ReservationCalls.confirm(shards.engine("default"), epoch, "default", seen, shares))
            .getCode();
    assertEquals(STALE, again);
  }

  @Test
  void theShardLooksAtEachNodeItself() {
    String id = all.submit(all.spec("ann", 1, 2, "", chunk(2, 2)));
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 1, 2)), "a chunk is missing");
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 2, 2)), "not all of the amounts");
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("none", 2, 4)), "no such node");
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("e0", 2, 4)), "another partition");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n1", "state=offline");
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n1", 2, 4)), "offline");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "resv_enable=False");
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 2, 4)), "not for reservations");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "resv_enable=True");
    assertEquals(0, all.confirm(id, Calls.share("n0", 2, 4)));
  }

  /** All amounts together are 4 when they go round, as asked for, and fit the node. */
  @Test
  void amountsThatGoRoundAreNoAmounts() {
    NodeShare much = new NodeShare("n0", "", 2, Map.of("ncpus", Long.MAX_VALUE));
    NodeShare more = new NodeShare("n0", "", 1, Map.of("ncpus", Long.MAX_VALUE));
    NodeShare rest = new NodeShare("n0", "", 1, Map.of("ncpus", 6L));
    String id = all.submit(all.spec("ann", 1, 2, "", chunk(2, 1), chunk(2, 1)));
    assertEquals(NO_ROOM, all.confirm(id, much, more, rest));
    String job =
        shards.submit(Calls.job("ann", "workq", Calls.request("", chunk(2, 1), chunk(2, 1))));
    int code =
        shards
            .ask(
                0,
                Calls.run(
                    shards.engine("default"),
                    "default",
                    shards.epoch("default"),
                    job,
                    much,
                    more,
                    rest))
            .getCode();
    assertEquals(NO_ROOM, code);
  }

  @Test
  void noNodeIsBookedTwice() {
    all.reserved("ann", 1, 3, "n0", 3);
    String id = all.submit(all.spec("bob", 2, 4, "", chunk(1, 2)));
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 1, 2)));
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 2)));
    String later = all.submit(all.spec("bob", 3, 4, "", chunk(1, 4)));
    assertEquals(0, all.confirm(later, Calls.share("n0", 1, 4)), "the end is not in the window");
  }

  @Test
  void aRunThatLastsIntoTheWindowLeavesNoRoom() {
    String job = shards.submit(job("cy", "workq", 3, 2));
    assertEquals(0, all.run(job, "n0", 3));
    String id = all.submit(all.spec("ann", 1, 3, "", chunk(1, 2)));
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 1, 2)));
    String after = all.submit(all.spec("ann", 2.5, 3, "", chunk(1, 4)));
    assertEquals(0, all.confirm(after, Calls.share("n0", 1, 4)));
  }

  @Test
  void oneThatWantsItsNodesForItselfMeetsNobody() {
    all.reserved("ann", 1, 2, "n0", 1);
    String excl = all.submit(all.spec("bob", 1.5, 3, "excl", chunk(1, 1)));
    assertEquals(NO_ROOM, all.confirm(excl, Calls.share("n0", 1, 1)));
    assertEquals(0, all.confirm(excl, Calls.share("n1", 1, 1)));
    String shared = all.submit(all.spec("cy", 2, 4, "", chunk(1, 1)));
    assertEquals(NO_ROOM, all.confirm(shared, Calls.share("n1", 1, 1)));
    String job = shards.submit(job("cy", "workq", 1, 2));
    assertEquals(NO_ROOM, all.run(job, "n1", 1));
    assertEquals(0, all.run(job, "n0", 1));
  }

  @Test
  void badTimesAndAmountsAreRefused() {
    int badTimes = PbsError.BAD_TIMES.code();
    assertEquals(badTimes, all.submitted(all.spec("ann", 2, 1, "", chunk(1, 1))));
    assertEquals(badTimes, all.submitted(all.spec("ann", 1, 1, "", chunk(1, 1))));
    assertEquals(badTimes, all.submitted(all.spec("ann", -1, 1, "", chunk(1, 1))));
    ReservationSpec never = all.spec("ann", 1, 2, "", chunk(1, 1));
    never.setEndMs(Long.MAX_VALUE);
    assertEquals(badTimes, all.submitted(never));
    int illegal = PbsError.ILLEGAL_VALUE.code();
    Chunk round = chunk(4, Long.MAX_VALUE / 2);
    assertEquals(illegal, all.submitted(all.spec("ann", 1, 2, "", round)));
    assertEquals(illegal, all.submitted(all.spec("ann", 1, 2, "", chunk(1, -1))));
    assertEquals(illegal, all.submitted(all.spec("ann", 1, 2, "", chunk(5001, 1))));
    ReservationSpec long_ = all.spec("ann", 1, 2, "", chunk(1, 1));
    long_.setName("x".repeat(231));
    assertEquals(illegal, all.submitted(long_));
    ReservationSpec nowhere = all.spec("ann", 1, 2, "", chunk(1, 1));
    nowhere.setPartition("nowhere");
    assertEquals(illegal, all.submitted(nowhere));
    ReservationSpec years = all.spec("ann", 1, 24 * 365 * 136.0, "", chunk(1, 1));
    assertEquals(0, all.submitted(years), "136 years are fine");
  }

  @Test
  void whoMayReserveIsSaidByTheServer() {
    ReservationSpec spec = all.spec("ann", 1, 2, "", chunk(1, 1));
    SubmitReservation another = ReservationCalls.submit(shards.user("eve"), spec, 0);
    assertEquals(PbsError.UNAUTHORIZED.code(), shards.ask(0, another).getCode());
    server("acl_resv_users=bob");
    server("acl_resv_user_enable=True");
    assertEquals(PbsError.RESERVATION_USER.code(), all.submitted(spec));
    server("acl_resv_user_enable=False");
    server("acl_resv_hosts=elsewhere");
    server("acl_resv_host_enable=True");
    assertEquals(PbsError.RESERVATION_HOST.code(), all.submitted(spec));
    server("acl_resv_host_enable=False");
    server("acl_resv_groups=wheel");
    server("acl_resv_group_enable=True");
    assertEquals(PbsError.RESERVATION_GROUP.code(), all.submitted(spec));
    spec.setGroup("wheel");
    server("acl_resv_group_enable=False");
    server("resv_enable=False");
    assertEquals(PbsError.RESERVATIONS_OFF.code(), all.submitted(spec));
    server("resv_enable=True");
    server("max_reservation_ahead=01:30:00");
    assertEquals(PbsError.BAD_TIMES.code(), all.submitted(spec));
    server("max_reservation_ahead=02:30:00");
    server("max_reservations=[u:PBS_GENERIC=2],[u:bob=1],[o:PBS_ALL=3]");
    int limit = PbsError.RESERVATION_LIMIT.code();
    assertEquals(0, all.submitted(spec));
    String second = all.submit(spec);
    assertEquals(limit, all.submitted(spec));
    ReservationSpec bobs = all.spec("bob", 1, 2, "", chunk(1, 1));
    assertEquals(0, all.submitted(bobs));
    assertEquals(limit, all.submitted(bobs));
    assertEquals(limit, all.submitted(all.spec("cy", 1, 2, "", chunk(1, 1))), "of all");
    assertEquals(0, all.deny(second));
    assertEquals(0, all.submitted(spec), "one that has gone counts no more");
  }

  private void server(String pair) {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "mill", pair);
  }

  @Test
  void aUserHasNoMoreThanAThousandUnlessTheServerSaysMore() {
    ReservationSpec spec = all.spec("ann", 1, 2, "", chunk(1, 1));
    for (int i = 0; i < ReservationLimits.USER_MAX; i++) {
      shards.send(0, all.submission(spec, 0));
    }
    shards.run();
    assertEquals(PbsError.RESERVATION_LIMIT.code(), all.submitted(spec));
    assertEquals(0, all.submitted(all.spec("bob", 1, 2, "", chunk(1, 1))));
  }

  @Test
  void whoWaitsIsToldWhatBecameOfIt() {
    SubmitReservation first = all.submission(all.spec("ann", 1, 2, "", chunk(1, 1)), 10);
    assertNull(shards.ask(0, first));
    assertNull(shards.ask(0, first), "a repeated command makes no second one");
    assertEquals(1, ReservationCalls.all(shards.tables(0)).size());
    String id = ReservationCalls.all(shards.tables(0)).get(0).getId();
    all.confirm(id, Calls.share("n0", 1, 1));
    assertEquals(List.of(id + " CONFIRMED"), shards.answer(first.getMeta()).getLines());
    SubmitReservation second = all.submission(all.spec("ann", 1, 2, "", chunk(1, 9)), 10);
    assertNull(shards.ask(0, second));
    String denied = last();
    assertEquals(0, all.deny(denied));
    assertEquals(List.of(denied + " DENIED", "full"), shards.answer(second.getMeta()).getLines());
    assertNull(all.find(denied));
  }

  private String last() {
    List<Reservation> found = ReservationCalls.all(shards.tables(0));
    return found.get(found.size() - 1).getId();
  }

  /** Who has given no -I has none in his record, though the gateway waits for the answer. */
  @Test
  void whoeverWaitsForHimIsNotHeWhoAsked() {
    SubmitReservation asked = all.submission(all.spec("ann", 1, 2, "", chunk(1, 1)), 10);
    asked.setOwnWait(true);
    assertNull(shards.ask(0, asked));
    assertEquals(0L, all.find(last()).getInteractiveS());
    shards.pass(11_000);
    assertEquals(List.of(last() + " UNCONFIRMED"), shards.answer(asked.getMeta()).getLines());
  }

  @Test
  void whoHasWaitedLongEnoughIsToldSo() {
    SubmitReservation patient = all.submission(all.spec("ann", 1, 2, "", chunk(1, 1)), 10);
    SubmitReservation stern = all.submission(all.spec("bob", 1, 2, "", chunk(1, 1)), -10);
    patient.setAtOnce(true);
    shards.ask(0, patient);
    shards.ask(0, stern);
    shards.pass(9_000);
    assertNull(shards.answer(patient.getMeta()));
    shards.pass(2_000);
    String id = ReservationCalls.all(shards.tables(0)).get(0).getId();
    assertEquals(List.of(id + " UNCONFIRMED"), shards.answer(patient.getMeta()).getLines());
    assertFalse(all.find(id).getAtOnce(), "a denial that he did not wait for is a letter");
    assertTrue(shards.answer(stern.getMeta()).getLines().get(0).endsWith(" DENIED"));
    assertEquals(1, ReservationCalls.all(shards.tables(0)).size());
  }

  @Test
  void aClockThatGoesBackMakesNobodyWaitLonger() {
    SubmitReservation wish = all.submission(all.spec("ann", 1, 2, "", chunk(1, 1)), 10);
    shards.ask(0, wish);
    shards.brokerAheadMs = -12 * Reserving.HOUR_MS;
    shards.pass(1);
    assertNull(shards.answer(wish.getMeta()));
    shards.pass(11_000);
    assertNotNull(shards.answer(wish.getMeta()));
  }

  @Test
  void itsQueueIsReachedByItsNameOnly() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    String queue = queue(id);
    String digits = queue.substring(1);
    int unknown = PbsError.UNKNOWN_QUEUE.code();
    for (String name : List.of("S" + digits, "M" + digits, "R0" + digits, "r" + digits, id)) {
      assertEquals(unknown, all.queued(job("ann", name, 1, 1)), name);
    }
    String waiting = shards.submit(job("ann", "workq", 1, 1));
    for (String name : List.of("S" + digits, "M" + digits, "R00" + digits)) {
      int code = shards.ask(0, Calls.move(shards.user("ann"), waiting, name)).getCode();
      assertEquals(unknown, code, name);
    }
    assertEquals(0, all.queued(job("ann", queue, 1, 1)));
    assertEquals(0, shards.ask(0, Calls.move(shards.user("ann"), waiting, queue)).getCode());
    assertEquals(queue, shards.job(waiting).getSpec().getQueue());
  }

  @Test
  void itsQueueTakesWhomItsListsNameAndNoMoreThanItHas() {
    String queue = queue(all.reserved("ann", 1, 3, "n0", 2));
    assertEquals(PbsError.UNAUTHORIZED.code(), all.queued(job("bob", queue, 1, 1)));
    assertEquals(0, all.queued(job("ann", queue, 2, 0)));
    String unconfirmed = queue(all.submit(all.spec("ann", 1, 2, "", chunk(1, 1))));
    assertEquals(PbsError.UNKNOWN_QUEUE.code(), all.queued(job("ann", unconfirmed, 1, 1)));
    for (String name : List.of("R7", "S1", "M09")) {
      int code = shards.qmgr(ChangeOperation.CREATE, ObjectKind.QUEUE, name).getCode();
      assertEquals(PbsError.ILLEGAL_VALUE.code(), code, name);
    }
  }

  @Test
  void jobsRunInItsWindowAndEndWithIt() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    String first = shards.submit(job("ann", queue(id), 2, 0));
    String second = shards.submit(job("ann", queue(id), 1, 0));
    assertEquals(STALE, all.run(first, "n0", 2), "its window has not begun");
    all.toHour(1.1);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    assertEquals(NO_ROOM, all.run(first, "n1", 2), "not its node");
    assertEquals(0, all.run(first, "n0", 2));
    assertEquals(NO_ROOM, all.run(second, "n0", 1), "its share is full, the node is not");
    all.toHour(3.1);
    assertEquals(ReservationState.DELETING_JOBS, all.find(id).getState());
    assertEquals(KillPurpose.DELETE, shards.job(first).getKilling());
    assertEquals(JobStatus.FINISHED, shards.job(second).getStatus());
    shards.send(0, Calls.finished(shards.executor("n0"), shards.lastStart(), 271));
    shards.run();
    shards.pass(1);
    assertNull(all.find(id));
    assertTrue(all.bookings().isEmpty());
    assertNull(shards.tables(0).queues().get(queue(id)));
    ReservationEnded ended = shards.facts(ReservationEnded.class).get(0);
    assertEquals(ReservationState.FINISHED, ended.getReservation().getState());
  }

  @Test
  void whoseItIsMayDeleteIt() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    String job = shards.submit(job("ann", queue(id), 1, 0));
    int code = shards.ask(0, ReservationCalls.delete(shards.user("bob"), id)).getCode();
    assertEquals(PbsError.UNAUTHORIZED.code(), code);
    code =
        shards.ask(0, ReservationCalls.delete(shards.user("ann"), "S" + id.substring(1))).getCode();
    assertEquals(PbsError.UNKNOWN_RESERVATION.code(), code);
    assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.user("ann"), id)).getCode());
    shards.pass(1);
    assertEquals(JobStatus.FINISHED, shards.job(job).getStatus());
    ReservationEnded ended = shards.facts(ReservationEnded.class).get(0);
    assertEquals("ann@" + Calls.HOST, ended.getReservation().getEndedBy());
    assertEquals(ReservationState.DELETED, ended.getReservation().getState());
    code = shards.ask(0, ReservationCalls.delete(shards.user("ann"), id)).getCode();
    assertEquals(PbsError.UNKNOWN_RESERVATION.code(), code);
  }

  @Test
  void anEndCostsEachOfItsJobsOnce() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    int jobs = 300;
    for (int i = 0; i < jobs; i++) {
      shards.submit(job("ann", queue(id), 1, 0));
    }
    int before = shards.ledger(0).size();
    shards.ask(0, ReservationCalls.delete(shards.operator(), queue(id)));
    shards.pass(1);
    assertNull(all.find(id));
    assertEquals(jobs, shards.facts(0, JobDeleted.class).size());
    int facts = shards.ledger(0).size() - before;
    assertTrue(facts < jobs + 20, facts + " facts for " + jobs + " jobs");
  }

  @Test
  void nobodyHasConfirmedItBeforeItsStart() {
    String id = all.submit(all.spec("ann", 1, 2, "", chunk(1, 1)));
    all.toHour(1.1);
    assertNull(all.find(id));
    assertEquals(
        ReservationState.DELETED,
        shards.facts(ReservationEnded.class).get(0).getReservation().getState());
  }
}
