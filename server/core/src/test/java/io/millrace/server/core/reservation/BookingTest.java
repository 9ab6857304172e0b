package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static io.millrace.server.core.reservation.Reserving.queue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.ReservationRetried;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is booked of nodes keeps runs from them, and what happens to booked nodes. */
class BookingTest {
  private static final int NO_ROOM = PbsError.NO_ROOM.code();

  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  @Test
  void noRunReachesIntoABookingThatLeavesNoRoom() {
    all.reserved("ann", 1, 2, "n0", 3);
    assertEquals(NO_ROOM, all.run(shards.submit(job("cy", "workq", 2, 1.5)), "n0", 2));
    assertEquals(NO_ROOM, all.run(shards.submit(job("cy", "workq", 2, 0)), "n0", 2), "no walltime");
    assertEquals(0, all.run(shards.submit(job("cy", "workq", 1, 0)), "n0", 1), "room beside it");
    assertEquals(0, all.run(shards.submit(job("cy", "workq", 3, 0.9)), "n0", 3), "ends before");
  }

  @Test
  void nobodyRunsPastABookingByHand() {
    all.reserved("ann", 1, 2, "n0", 3);
    all.reserved("ann", 1, 2, "n1", 3);
    for (List<String> nodes : List.of(List.of("n0"), List.<String>of())) {
      String job = shards.submit(job("cy", "workq", 2, 0));
      Reply reply = shards.ask(0, new RunNow(shards.operator(), job, nodes));
      assertEquals(PbsError.INSUFFICIENT.code(), reply.getCode(), reply::toString);
    }
    String brief = shards.submit(job("cy", "workq", 2, 0.5));
    assertEquals(0, shards.ask(0, new RunNow(shards.operator(), brief, List.of())).getCode());
  }

  @Test
  void aJobOfAReservationRunsNowhereElseByHandNorTooEarly() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    String job = shards.submit(job("ann", queue(id), 1, 0));
    int early = shards.ask(0, new RunNow(shards.operator(), job, List.of())).getCode();
    assertEquals(PbsError.INSUFFICIENT.code(), early);
    all.toHour(1.1);
    int other = shards.ask(0, new RunNow(shards.operator(), job, List.of("n1"))).getCode();
    assertEquals(PbsError.INSUFFICIENT.code(), other);
    assertEquals(0, shards.ask(0, new RunNow(shards.operator(), job, List.of())).getCode());
    assertEquals("n0/0", shards.job(job).getAllocation().getExecHost());
  }

  /** To its scheduler the reservation is a cluster of its own, so the shard has to see the run. */
  @Test
  void aJobInsideWaitsForARunThatOutlivesItsWalltime() {
    String id = all.reserved("ann", 1, 3, "n0", 3);
    assertEquals(0, all.run(shards.submit(job("cy", "workq", 2, 0.9)), "n0", 2));
    shards.started(shards.lastStart());
    StartRun late = shards.lastStart();
    String two = shards.submit(job("ann", queue(id), 2, 0));
    String three = shards.submit(job("ann", queue(id), 3, 0));
    all.toHour(1.1);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    assertEquals(NO_ROOM, all.run(three, "n0", 3), "4 less the 2 of the late run");
    assertEquals(0, all.run(two, "n0", 2), "both are on the node");
    shards.started(shards.lastStart());
    StartRun inside = shards.lastStart();
    assertEquals(NO_ROOM, all.run(three, "n0", 3));
    shards.finished(late, 0);
    assertEquals(NO_ROOM, all.run(three, "n0", 3), "not beyond what the reservation has");
    shards.finished(inside, 0);
    assertEquals(0, all.run(three, "n0", 3));
  }

  @Test
  void aRunIsNotMadeLongerIntoABooking() {
    all.reserved("ann", 1, 2, "n0", 3);
    String job = shards.submit(job("cy", "workq", 2, 0.5));
    assertEquals(0, all.run(job, "n0", 2));
    shards.started(shards.lastStart());
    assertEquals(PbsError.BOOKED.code(), alter(job, 1.5));
    assertEquals(1800, shards.job(job).getSpec().getRequest().getWalltimeS());
    assertEquals(PbsError.BOOKED.code(), alter(job, 0), "without an end");
    assertEquals(0, alter(job, 0.9));
  }

  /** As for runs: of what no scheduler compares nobody has too little. */
  @Test
  void whatIsNotComparedIsNotLacking() {
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "lic", "type=long", "flag=nh");
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "rack", "type=string", "flag=h");
    Map<String, Long> amounts = Map.of("ncpus", 1L, "lic", 2L);
    Chunk chunk = new Chunk(1, amounts, Map.of("rack", "r9"));
    String id = all.submit(all.spec("ann", 1, 3, "", chunk));
    NodeShare share = new NodeShare("n0", "", 1, amounts);
    assertEquals(NO_ROOM, all.confirm(id, share));
    Map<String, String> texts = Map.of("sched_config", "resources: \"ncpus\"\n");
    shards.must(
        ChangeOperation.SET,
        ObjectKind.SCHEDULER,
        "default",
        "policy=sched_config",
        "sched_config=" + StoredPolicy.join(texts, "Europe/Berlin"));
    assertEquals(0, all.confirm(id, share));
    String job = shards.submit(Calls.job("cy", "workq", request(0.5)));
    CommandMeta engine = shards.engine("default");
    assertEquals(
        0,
        shards.ask(0, Calls.run(engine, "default", shards.epoch("default"), job, share)).getCode());
    shards.started(shards.lastStart());
    assertEquals(0, alter(job, request(1.5)));
  }

  private static ResourceRequest request(double hours) {
    Chunk chunk = new Chunk(1, Map.of("ncpus", 1L, "lic", 2L), Map.of());
    ResourceRequest request = Calls.request("", chunk);
    request.setWalltimeS((long) (hours * 3600));
    return request;
  }

  private int alter(String job, double hours) {
    var request = Calls.request("", chunk(1, 2));
    request.setWalltimeS((long) (hours * 3600));
    return alter(job, request);
  }

  private int alter(String job, ResourceRequest request) {
    AlterJob wish =
        AlterJob.newBuilder()
            .setMeta(shards.operator())
            .setJobId(job)
            .setRequest(request)
            .setResourceList(List.of())
            .build();
    return shards.ask(0, wish).getCode();
  }

  @Test
  void aSuspendedRunDoesNotGoOnIntoABooking() {
    String job = shards.submit(job("cy", "workq", 2, 2));
    assertEquals(0, all.run(job, "n0", 2));
    shards.started(shards.lastStart());
    assertEquals(0, shards.ask(0, Calls.signal(shards.operator(), job, "suspend")).getCode());
    String id = all.reserved("ann", 1, 3, "n0", 3);
    shards.ask(0, Calls.signal(shards.operator(), job, "resume"));
    var resume =
        new io.millrace.schemas.command.ResumeRun(
            shards.engine("default"), "default", shards.epoch("default"), job, 1);
    assertEquals(NO_ROOM, shards.ask(0, resume).getCode());
    shards.ask(0, ReservationCalls.delete(shards.operator(), id));
    resume.setMeta(shards.engine("default"));
    assertEquals(0, shards.ask(0, resume).getCode());
  }

  @Test
  void anAlterationIsConfirmedOrAllStaysAsItWas() {
    String id = all.reserved("ann", 1, 2, "n0", 3);
    String other = all.reserved("bob", 2, 3, "n0", 3);
    Reservation before = all.find(id);
    long later = all.beginMs + 5 * Reserving.HOUR_MS / 2;
    assertEquals(0, shards.ask(0, end(id, later, 0)).getCode());
    assertEquals(ReservationState.BEING_ALTERED, all.find(id).getState());
    assertEquals(before.getSpec(), all.find(id).getSpec());
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 1, 3)));
    assertEquals(0, all.deny(id));
    Reservation after = all.find(id);
    after.setRevision(before.getRevision());
    after.setModifiedMs(before.getModifiedMs());
    assertEquals(before, after);
    var wish = end(id, later, 10);
    assertNull(shards.ask(0, wish));
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 3)));
    assertEquals(List.of(id + " CONFIRMED"), shards.answer(wish.getMeta()).getLines());
    assertEquals(later, all.find(id).getSpec().getEndMs());
    assertEquals(2, all.bookings().size());
    assertEquals("(n0:ncpus=3)", all.find(other).getNodes());
  }

  private io.millrace.schemas.command.AlterReservation end(String id, long endMs, long wait) {
    return ReservationCalls.alter(shards.user("ann"), id)
        .setEndMs(endMs)
        .setInteractiveS(wait)
        .build();
  }

  @Test
  void namesChangeAtOnceAndForceIsForManagers() {
    String id = all.reserved("ann", 1, 2, "n0", 2);
    var name = ReservationCalls.alter(shards.user("ann"), id).setName("new").build();
    assertEquals(List.of(id + " ALTER REQUESTED"), shards.ask(0, name).getLines());
    assertEquals("new", all.find(id).getSpec().getName());
    var bobs = ReservationCalls.alter(shards.user("bob"), id).setName("hack").build();
    assertEquals(PbsError.UNAUTHORIZED.code(), shards.ask(0, bobs).getCode());
    long later = all.beginMs + 3 * Reserving.HOUR_MS;
    var force = ReservationCalls.alter(shards.user("ann"), id).setEndMs(later).setForce(true);
    assertEquals(PbsError.UNAUTHORIZED.code(), shards.ask(0, force.build()).getCode());
    all.reserved("cy", 2.5, 4, "n0", 4);
    force.setMeta(shards.manager());
    assertEquals(List.of(id + " DENIED"), shards.ask(0, force.build()).getLines());
    long sooner = all.beginMs + 9 * Reserving.HOUR_MS / 4;
    force.setMeta(shards.manager()).setEndMs(sooner);
    assertEquals(List.of(id + " CONFIRMED"), shards.ask(0, force.build()).getLines());
    assertEquals(sooner, all.find(id).getSpec().getEndMs());
    var more =
        ReservationCalls.alter(shards.user("ann"), id).setRequest(Calls.request("", chunk(1, 4)));
    assertEquals(PbsError.SELECT_NOT_SUBSET.code(), shards.ask(0, more.build()).getCode());
  }

  @Test
  void aLostNodeIsReplacedOrComesBack() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    assertEquals(ReservationState.DEGRADED, all.find(id).getState());
    assertEquals("offline", all.find(id).getLost().get(0).getWhy());
    shards.must(ChangeOperation.UNSET, ObjectKind.NODE, "n0", "state");
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
    silent("n0");
    LostNode lost = all.find(id).getLost().get(0);
    assertEquals("down", lost.getWhy());
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 1, 2)));
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 2)));
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
    assertEquals("(n1:ncpus=2)", all.find(id).getNodes());
    assertEquals(1, all.bookings().size());
  }

  /** What is allowed may depend on the time, so that they are looked for when nothing happens. */
  @Test
  void lostNodesAreLookedForAgainAfterATime() {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "reserve_retry_time=1000");
    String id = all.reserved("ann", 1, 3, "n0", 2);
    assertEquals(0, all.find(id).getRetryMs());
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    Reservation lost = all.find(id);
    long firstMs = lost.getLost().get(0).getSinceMs() + 1_000_000;
    assertEquals(firstMs, lost.getRetryMs());
    shards.pass(firstMs - shards.nowMs - 1_000);
    assertEquals(0, shards.facts(ReservationRetried.class).size());
    shards.must(ChangeOperation.UNSET, ObjectKind.SERVER, "", "reserve_retry_time");
    assertEquals(firstMs, all.find(id).getRetryMs(), "one that is to come stays");
    shards.pass(1_001);
    assertEquals(1, shards.facts(ReservationRetried.class).size());
    assertTrue(all.find(id).getRevision() > lost.getRevision(), "so its scheduler hears of it");
    assertEquals(600_000, all.find(id).getRetryMs() - shards.nowMs, 1_000, "as it is usually");
    all.toHour(0.9);
    all.toHour(0.99);
    assertEquals(all.beginMs + Reserving.HOUR_MS, all.find(id).getRetryMs(), "not past its start");
    all.toHour(1.5);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    int tried = shards.facts(ReservationRetried.class).size();
    shards.must(ChangeOperation.UNSET, ObjectKind.NODE, "n0", "state");
    assertEquals(0, all.find(id).getRetryMs());
    all.toHour(2.5);
    assertEquals(tried, shards.facts(ReservationRetried.class).size());
  }

  @Test
  void aClockThatGoesBackDelaysNoRetry() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    shards.brokerAheadMs = -12 * Reserving.HOUR_MS;
    shards.pass(1);
    shards.pass(601_000);
    assertEquals(1, shards.facts(ReservationRetried.class).size());
    assertEquals(ReservationState.DEGRADED, all.find(id).getState());
  }

  @Test
  void aRetryTimeIsAtLeastASecond() {
    for (String wrong : List.of("0", "-1", "2147483648")) {
      assertEquals(
          PbsError.ILLEGAL_VALUE.code(),
          shards
              .qmgr(ChangeOperation.SET, ObjectKind.SERVER, "", "reserve_retry_time=" + wrong)
              .getCode());
    }
  }

  private void silent(String host) {
    shards.send(
        0,
        new NoteHostSilent(
            shards.calls.silent("shard-0", Role.SHARD, shards.nowMs), host, Calls.SPOOL, 30L));
    shards.run();
  }

  @Test
  void nodesWithItsJobsAreNotTakenFromThem() {
    String id = all.submit(all.spec("ann", 1, 3, "", chunk(2, 2)));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2), Calls.share("n1", 1, 2)));
    String job = shards.submit(job("ann", queue(id), 1, 0));
    all.toHour(1.1);
    assertEquals(0, all.run(job, "n0", 1));
    silent("n1");
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    assertEquals(ReservationState.DEGRADED, all.find(id).getSubstate());
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n2");
    shards.nodeUp("n2", 4);
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n2", 1, 2), Calls.share("n2", 1, 2)));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2), Calls.share("n2", 1, 2)));
    assertTrue(all.find(id).getLost().isEmpty());
  }

  @Test
  void aBookedNodeStaysInItsPartitionAndAPartitionWhereItIs() {
    all.reserved("ann", 1, 3, "n0", 2);
    int busy = PbsError.NODE_BUSY.code();
    assertEquals(
        busy, shards.qmgr(ChangeOperation.SET, ObjectKind.NODE, "n0", "partition=peast").getCode());
    assertEquals(
        busy,
        shards.qmgr(ChangeOperation.SET, ObjectKind.NODE, "n0", "sharing=force_excl").getCode());
    int east = shards.shardOfScheduler("es");
    var spec =
        ReservationCalls.spec(
            "ann",
            "peast",
            all.beginMs + Reserving.HOUR_MS,
            all.beginMs + 2 * Reserving.HOUR_MS,
            "",
            chunk(1, 1));
    assertEquals(0, all.submitted(spec));
    assertEquals(1, ReservationCalls.all(shards.tables(east)).size());
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "es", "partition");
    Reply moved = shards.qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, "ws", "partition+=peast");
    assertEquals(PbsError.OBJECT_BUSY.code(), moved.getCode(), moved::toString);
  }

  /** The run has its room for itself until the window begins again; nobody gets it as well. */
  @Test
  void aClockThatIsSetBackBeforeTheWindowGivesNothingTwice() {
    String id = all.reserved("ann", 1, 3, "n0", 3);
    String runs = all.shards.submit(job("ann", queue(id), 2, 0));
    String waits = all.shards.submit(job("ann", queue(id), 1, 0));
    all.toHour(1.5);
    assertEquals(0, all.run(runs, "n0", 2));
    all.shards.nowMs -= Reserving.HOUR_MS;
    assertEquals(PbsError.NO_ROOM.code(), all.run(waits, "n0", 1), "before the window");
    String three = all.shards.submit(job("bob", "workq", 3, 0.25));
    assertEquals(PbsError.NO_ROOM.code(), all.run(three, "n0", 3));
    String two = all.shards.submit(job("bob", "workq", 2, 0.25));
    assertEquals(0, all.run(two, "n0", 2));
    all.shards.started(all.shards.lastStart());
    all.shards.finished(all.shards.lastStart(), 0);
    all.toHour(1);
    assertEquals(0, all.run(waits, "n0", 1));
  }
}
