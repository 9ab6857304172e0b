package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hosts under maintenance. */
class MaintenanceTest {
  private static final int NO_ROOM = PbsError.NO_ROOM.code();

  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  private Reply asked(CommandMeta meta, double fromHour, double toHour, String... hosts) {
    ReservationSpec spec = all.spec(meta.getPrincipal(), fromHour, toHour, "");
    spec.setMaintained(List.of(hosts));
    return shards.ask(0, ReservationCalls.submit(meta, spec, 0));
  }

  private String maintain(double fromHour, double toHour, String... hosts) {
    Reply reply = asked(shards.operator(), fromHour, toHour, hosts);
    assertEquals(0, reply.getCode(), reply::toString);
    String[] words = reply.getLines().get(0).split(" ");
    assertEquals("CONFIRMED", words[1]);
    return words[0];
  }

  @Test
  void isConfirmedAtOnceAndHasWholeHosts() {
    String id = maintain(1, 2, "n1", "n0");
    Reservation one = all.find(id);
    assertTrue(id.startsWith("M"), id);
    assertEquals(ReservationState.CONFIRMED, one.getState());
    assertEquals("(n1:ncpus=4)+(n0:ncpus=4)", one.getNodes());
    assertEquals(
        "[ncpus=8, nodect=2, select=host=n1:ncpus=4+host=n0:ncpus=4, place=exclhost, "
            + "walltime=01:00:00]",
        one.getSpec().getResourceList().stream()
            .map(it -> it.getName() + "=" + it.getValue())
            .toList()
            .toString());
    assertEquals(2, all.bookings().size());
    assertTrue(all.bookings().stream().allMatch(it -> it.getExclusive()));
  }

  @Test
  void ordinaryUsersMakeNone() {
    assertEquals(PbsError.UNAUTHORIZED.code(), asked(shards.user("ann"), 1, 2, "n0").getCode());
    assertEquals(0, asked(shards.manager(), 1, 2, "n0").getCode());
    int nowhere = asked(shards.operator(), 1, 2, "none").getCode();
    assertEquals(PbsError.ILLEGAL_VALUE.code(), nowhere);
  }

  /** It has no jobs, and would be gone that soon after its start. */
  @Test
  void isNotDeletedForBeingIdle() {
    ReservationSpec spec = all.spec("root", 1, 2, "");
    spec.setMaintained(List.of("n0"));
    spec.setDeleteIdleS(60);
    Reply refused = shards.ask(0, ReservationCalls.submit(shards.manager(), spec, 0));
    assertEquals(PbsError.UNSUPPORTED.code(), refused.getCode(), refused::toString);
    assertTrue(all.bookings().isEmpty());
  }

  @Test
  void nothingOfOthersStartsIntoItAndRunsGoOn() {
    String runs = shards.submit(job("ann", "workq", 1, 4));
    assertEquals(0, all.run(runs, "n0", 1));
    shards.started(shards.lastStart());
    maintain(1, 2, "n0");
    String longer = shards.submit(job("ann", "workq", 1, 2));
    assertEquals(NO_ROOM, all.run(longer, "n0", 1));
    String shorter = shards.submit(job("ann", "workq", 1, 0.5));
    assertEquals(0, all.run(shorter, "n0", 1));
    assertEquals(
        PbsError.INSUFFICIENT.code(),
        shards.ask(0, new RunNow(shards.operator(), longer, List.of("n0"))).getCode(),
        "nor by hand");
    all.toHour(1.5);
    assertEquals("RUNNING", shards.job(runs).getStatus().name());
  }

  @Test
  void othersAreInConflictUntilItIsGone() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    String later = all.reserved("bob", 2, 3, "n0", 2);
    String maintenance = maintain(0.5, 2, "n0");
    Reservation one = all.find(id);
    assertEquals(ReservationState.DEGRADED, one.getState());
    assertEquals(ReservationState.IN_CONFLICT, one.getSubstate());
    assertEquals(
        List.of(new LostNode("n0", "under maintenance", shards.nowMs, maintenance)), one.getLost());
    assertEquals(ReservationState.CONFIRMED, all.find(later).getState(), "it begins behind");
    assertEquals(
        0, shards.ask(0, ReservationCalls.delete(shards.operator(), maintenance)).getCode());
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
    assertEquals(List.of(), all.find(id).getLost());
  }

  @Test
  void whereverTheyMeetThereIsAConflict() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    double[][] meet = {{0.5, 1.5}, {2.5, 4}, {1.5, 2.5}, {0.5, 4}};
    for (double[] window : meet) {
      String over = maintain(window[0], window[1], "n0");
      assertEquals(ReservationState.DEGRADED, all.find(id).getState(), over);
      assertEquals(ReservationState.IN_CONFLICT, all.find(id).getSubstate(), over);
      assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.operator(), over)).getCode());
      assertEquals(ReservationState.CONFIRMED, all.find(id).getSubstate(), over);
    }
    maintain(0.5, 1, "n0");
    maintain(3, 4, "n0");
    maintain(1, 3, "n1");
    assertEquals(ReservationState.CONFIRMED, all.find(id).getSubstate());
  }

  /** One host after the other: what it has left is its own until that is taken, too. */
  @Test
  void oneThatLosesAllItsNodesStartsNothing() {
    String id = all.submit(all.spec("ann", 1, 4, "scatter", chunk(2, 2)));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2), Calls.share("n1", 1, 2)));
    maintain(2, 3, "n0");
    assertEquals(ReservationState.DEGRADED, all.find(id).getState());
    all.toHour(1);
    String queue = Reserving.queue(id);
    assertEquals(0, all.run(shards.submit(job("ann", queue, 1, 0)), "n1", 1));
    String waits = shards.submit(job("ann", queue, 1, 0));
    assertEquals(NO_ROOM, all.run(waits, "n0", 1));
    maintain(2, 3, "n1");
    assertEquals(2, all.find(id).getLost().size());
    assertEquals(NO_ROOM, all.run(waits, "n1", 1));
    assertEquals(ReservationState.IN_CONFLICT, all.find(id).getSubstate());
  }

  @Test
  void oneInConflictGetsAnotherNode() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    maintain(0.5, 2, "n0");
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 1, 2)), "not the same one");
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 2)));
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
    assertEquals("(n1:ncpus=2)", all.find(id).getNodes());
  }

  /** Its own jobs neither start on the node nor are they stopped. */
  @Test
  void jobsInsideOneInConflictDoNotStartThere() {
    String id = all.reserved("ann", 1, 4, "n0", 2);
    String queue = Reserving.queue(id);
    all.toHour(1);
    String before = shards.submit(job("ann", queue, 1, 0));
    assertEquals(0, all.run(before, "n0", 1));
    maintain(1.5, 2, "n0");
    String after = shards.submit(job("ann", queue, 1, 0));
    assertEquals(NO_ROOM, all.run(after, "n0", 1));
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    assertEquals(ReservationState.IN_CONFLICT, all.find(id).getSubstate());
    all.toHour(2);
    assertEquals(List.of(), all.find(id).getLost(), "it is over");
    assertEquals(0, all.run(after, "n0", 1));
  }

  /** On a node under maintenance it keeps what it has; more is looked for as anywhere. */
  @Test
  void oneInConflictIsNotMadeLongerThere() {
    String id = all.reserved("ann", 1, 4, "n0", 2);
    all.toHour(1);
    assertEquals(0, all.run(shards.submit(job("ann", Reserving.queue(id), 1, 0)), "n0", 1));
    maintain(1.5, 2, "n0");
    all.reserved("bob", 4, 5, "n0", 4);
    var longer =
        ReservationCalls.alter(shards.user("ann"), id)
            .setEndMs(all.beginMs + 5 * Reserving.HOUR_MS)
            .build();
    assertEquals(0, shards.ask(0, longer).getCode());
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 1, 2)));
    var shorter =
        ReservationCalls.alter(shards.manager(), id)
            .setEndMs(all.beginMs + 3 * Reserving.HOUR_MS)
            .setForce(true)
            .build();
    assertEquals(0, all.deny(id));
    assertEquals(List.of(id + " CONFIRMED"), shards.ask(0, shorter).getLines());
  }

  /** As a window from the second to the fourth hour meets maintenance at other times. */
  @ParameterizedTest
  @CsvSource({
    "1,3,true",
    "3,5,true",
    "2.5,3.5,true",
    "1,5,true",
    "0.5,1.5,false",
    "1,2,false",
    "4,5,false",
    "5,6,false"
  })
  void isInConflictWithWhatIsReservedAtTheSameTime(double from, double to, boolean conflict) {
    String id = all.reserved("ann", 2, 4, "n0", 2);
    maintain(from, to, "n0");
    assertEquals(
        conflict ? ReservationState.IN_CONFLICT : ReservationState.CONFIRMED,
        all.find(id).getSubstate());
    assertEquals(conflict ? 1 : 0, all.find(id).getLost().size());
  }

  /** Until none is left on which its jobs could run. */
  @Test
  void oneHostAfterTheOtherIsTakenFromAReservation() {
    String id = all.submit(all.spec("ann", 1, 4, "", chunk(2, 2)));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2), Calls.share("n1", 1, 2)));
    String job = shards.submit(job("ann", Reserving.queue(id), 1, 0));
    maintain(2, 3, "n0");
    assertEquals(List.of("n0"), lost(id));
    assertEquals("(n0:ncpus=2)+(n1:ncpus=2)", all.find(id).getNodes());
    all.toHour(1);
    maintain(2, 3, "n1");
    assertEquals(List.of("n0", "n1"), lost(id));
    assertEquals(ReservationState.IN_CONFLICT, all.find(id).getSubstate());
    assertEquals(NO_ROOM, all.run(job, "n0", 1));
    assertEquals(NO_ROOM, all.run(job, "n1", 1));
  }

  private List<String> lost(String id) {
    return all.find(id).getLost().stream().map(LostNode::getNode).toList();
  }

  @Test
  void jobsOfItsOwnQueueRunOnItsHosts() {
    String queue = Reserving.queue(maintain(1, 2, "n0"));
    String job = shards.submit(job("op", queue, 1, 0));
    all.toHour(1);
    assertNotEquals(0, all.run(job, "n1", 1));
    assertEquals(0, all.run(job, "n0", 1));
  }

  @Test
  void itsOwnNodesAreNeverLost() {
    String id = maintain(1, 2, "n0");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
    all.toHour(2);
    assertNull(all.find(id));
  }

  @Test
  void anotherWindowIsDecidedAtOnce() {
    String id = maintain(1, 2, "n0");
    String other = all.reserved("ann", 2, 3, "n0", 2);
    var wish =
        ReservationCalls.alter(shards.operator(), id)
            .setEndMs(all.beginMs + 5 * Reserving.HOUR_MS / 2)
            .build();
    assertEquals(List.of(id + " CONFIRMED"), shards.ask(0, wish).getLines());
    assertEquals(ReservationState.IN_CONFLICT, all.find(other).getSubstate());
    var fewer = ReservationCalls.alter(shards.operator(), id);
    fewer.setRequest(Calls.request("", chunk(1, 1)));
    assertEquals(PbsError.SELECT_NOT_SUBSET.code(), shards.ask(0, fewer.build()).getCode());
  }

  /** As in PBS it is the operators', whoever made it. */
  @Test
  void whoIsNoOperatorAnyMoreLeavesItAlone() {
    String id = maintain(1, 2, "n0");
    var longer =
        ReservationCalls.alter(shards.user("op"), id)
            .setEndMs(all.beginMs + 3 * Reserving.HOUR_MS)
            .build();
    assertEquals(PbsError.UNAUTHORIZED.code(), shards.ask(0, longer).getCode());
    assertEquals(all.beginMs + 2 * Reserving.HOUR_MS, all.find(id).getSpec().getEndMs());
    var named = ReservationCalls.alter(shards.user("op"), id).setName("mine").build();
    assertEquals(PbsError.UNAUTHORIZED.code(), shards.ask(0, named).getCode());
    int deleted = shards.ask(0, ReservationCalls.delete(shards.user("op"), id)).getCode();
    assertEquals(PbsError.UNAUTHORIZED.code(), deleted);
    assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.operator(), id)).getCode());
  }

  /** Its nodes would be in another shard, and nothing would keep others from them. */
  @Test
  void aPartitionWithNodesUnderMaintenanceStaysInItsShard() {
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "es", "partition+=pmore");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "m0", "partition=pmore");
    shards.nodeUp("m0", 4);
    ReservationSpec spec = all.spec("op", 1, 2, "");
    spec.setPartition("peast");
    spec.setMaintained(List.of("e0", "m0"));
    Reply made = shards.ask(0, ReservationCalls.submit(shards.operator(), spec, 0));
    assertEquals(0, made.getCode(), made::toString);
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "es", "partition");
    Reply moved = shards.qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, "ws", "partition+=pmore");
    assertEquals(PbsError.OBJECT_BUSY.code(), moved.getCode(), moved::toString);
    int east = shards.shardOfScheduler("es");
    assertEquals(2, ReservationCalls.all(shards.tables(east)).get(0).getBooked().size());
  }

  /** One without any node would have no queue for its jobs. */
  @Test
  void oneWhoseHostsAreGoneIsNotMoved() {
    String id = maintain(1, 2, "n1");
    String waits = shards.submit(job("op", Reserving.queue(id), 1, 0));
    shards.must(ChangeOperation.DELETE, ObjectKind.NODE, "n1");
    var longer =
        ReservationCalls.alter(shards.operator(), id)
            .setEndMs(all.beginMs + 3 * Reserving.HOUR_MS)
            .build();
    assertEquals(PbsError.ILLEGAL_VALUE.code(), shards.ask(0, longer).getCode());
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
    assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.operator(), id)).getCode());
    shards.pass(1);
    assertNull(all.find(id));
    assertEquals("FINISHED", shards.job(waits).getStatus().name());
  }

  /** Nobody had it when the hosts were asked for. */
  @Test
  void aNodeThatIsMadeOnAHostUnderMaintenanceIsKeptFromOthers() {
    String id = maintain(1, 3, "n0");
    String alone = all.submit(all.spec("ann", 4, 5, "exclhost", chunk(1, 2)));
    assertEquals(0, all.confirm(alone, Calls.share("n0", 1, 2)));
    String shared = all.submit(all.spec("ann", 6, 7, "", chunk(1, 2)));
    assertEquals(0, all.confirm(shared, Calls.share("n0", 1, 2)));
    long bookings = all.bookings().size();
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n0b", "Mom=n0");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0b", "resources_available.ncpus=4");
    shards.nodeUp("n0", 4);
    assertEquals(bookings + 2, all.bookings().size());
    assertTrue(all.find(id).getBooked().stream().anyMatch(it -> it.getNode().equals("n0b")));
    assertEquals(NO_ROOM, all.run(shards.submit(job("bob", "workq", 1, 1.5)), "n0b", 1));
    assertEquals(NO_ROOM, all.run(shards.submit(job("bob", "workq", 1, 0)), "n0b", 1));
    assertEquals(0, all.run(shards.submit(job("bob", "workq", 1, 0.5)), "n0b", 1));
    all.toHour(3.1);
    assertEquals(NO_ROOM, all.run(shards.submit(job("bob", "workq", 1, 1)), "n0b", 1));
    assertEquals(0, all.run(shards.submit(job("bob", "workq", 1, 0.5)), "n0b", 1));
  }
}
