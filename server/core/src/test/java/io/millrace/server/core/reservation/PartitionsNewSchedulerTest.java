package io.millrace.server.core.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A partition with reservations that gets another scheduler object. */
class PartitionsNewSchedulerTest {
  private static final int HOUR_MS = 3_600_000;
  private static final String PARTITION = "pmore";

  private final TestShards shards = TestShards.threePartitions();
  private int shard;

  /** The partition has nodes m0 and m1 of 4 processors, queue more, and scheduler first. */
  private void served() {
    for (String node : List.of("m0", "m1")) {
      shards.must(ChangeOperation.CREATE, ObjectKind.NODE, node, "partition=" + PARTITION);
      shards.nodeUp(node, 4);
    }
    shards.queue("more", PARTITION);
    shard = PartitionTable.shardOf(shards.tables(0), PARTITION);
    shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "first", "partition=" + PARTITION);
    shards.startEngine("first");
  }

  private Reservation asked(long startMs, List<Long> laterMs) {
    ReservationSpec spec =
        ReservationCalls.spec(
            "ann", PARTITION, startMs, startMs + HOUR_MS, "", Reserving.chunk(1, 2));
    spec.setLaterMs(laterMs);
    spec.setRule(laterMs.isEmpty() ? "" : "FREQ=HOURLY;COUNT=2");
    Reply reply = shards.ask(0, ReservationCalls.submit(shards.user("ann"), spec, 0));
    assertEquals(0, reply.getCode(), reply::toString);
    String id = reply.getLines().get(0).split(" ")[0];
    return find(id);
  }

  private Reservation find(String id) {
    return ReservationCalls.all(shards.tables(shard)).stream()
        .filter(it -> it.getId().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private int confirm(String scheduler, long epoch, Reservation one, String node) {
    NodeShare share = Calls.share(node, 1, 2);
    return shards
        .ask(
            shard,
            ReservationCalls.confirm(
                shards.engine(scheduler), epoch, scheduler, one, List.of(share)))
        .getCode();
  }

  /** A job in a reservation. */
  private String submitted(Reservation into) {
    Reply reply =
        shards.ask(
            shard,
            Calls.submit(
                shards.user("ann"), List.of(), Reserving.job("ann", into.getQueue(), 1, 0)));
    assertEquals(0, reply.getCode(), reply::toString);
    return reply.getLines().get(0);
  }

  private long epoch(String scheduler) {
    return shards.epoch(scheduler);
  }

  private Reply give(String scheduler) {
    return shards.qmgr(
        ChangeOperation.SET, ObjectKind.SCHEDULER, scheduler, "partition+=" + PARTITION);
  }

  @Test
  void itsReservationsGoOn() {
    served();
    assertEquals(shard, shards.shardOfScheduler("first"), "it took the partition's shard");
    Reservation runs = asked(shards.nowMs + 1000, List.of());
    assertEquals(0, confirm("first", epoch("first"), runs, "m0"));
    long laterMs = shards.nowMs + 5 * HOUR_MS;
    Reservation stands = asked(laterMs, List.of(laterMs + 2 * HOUR_MS));
    assertEquals(0, confirm("first", epoch("first"), stands, "m1"));
    Reservation open = asked(laterMs, List.of());
    shards.pass(2000);
    String job = submitted(runs);
    assertEquals(0, shards.grant(job, "first", "m0", 1).getCode());
    StartRun order = shards.lastStart();
    shards.started(order);

    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "first", "partition");
    long old = epoch("first");
    shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "second");
    shards.startEngine("second");
    int before = shards.shardOfScheduler("second");
    assertNotEquals(shard, before);
    assertEquals(0, give("second").getCode());
    assertEquals(shard, shards.shardOfScheduler("second"));
    assertEquals(shard, PartitionTable.shardOf(shards.tables(0), PARTITION));
    Scheduler left = shards.tables(before).schedulers().get("second");
    assertNull(left, "nothing of it is left where it was");

    assertEquals(find(runs.getId()).getBooked(), List.of(booked("m0", find(runs.getId()))));
    assertEquals(1, find(stands.getId()).getLies().size());
    int stale = PbsError.STALE_PROPOSAL.code();
    assertEquals(stale, confirm("first", old, find(open.getId()), "m0"));
    shards.startEngine("second");
    assertEquals(0, confirm("second", epoch("second"), find(open.getId()), "m0"));
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "m1", "state=offline");
    assertEquals(1, find(stands.getId()).getLost().size());
    assertEquals(0, confirm("second", epoch("second"), find(stands.getId()), "m0"));
    assertTrue(find(stands.getId()).getLost().isEmpty());
    String more = submitted(runs);
    assertEquals(0, shards.grant(more, "second", "m0", 1).getCode());
    assertEquals(JobStatus.RUNNING, shards.status(job));
    shards.finished(order, 0);
    assertEquals(JobStatus.FINISHED, shards.status(job));
  }

  private static io.millrace.schemas.state.BookedNode booked(String node, Reservation one) {
    return one.getBooked().stream().filter(it -> it.getNode().equals(node)).findFirst().get();
  }

  /** One that serves a partition elsewhere does not come, and what it has does not go there. */
  @Test
  void aSchedulerWithPartitionsElsewhereIsRefused() {
    served();
    asked(shards.nowMs + HOUR_MS, List.of());
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "first", "partition");
    String with = shards.shardOfScheduler("es") == shard ? "ws" : "es";
    Reply refused = give(with);
    assertEquals(PbsError.OBJECT_BUSY.code(), refused.getCode());
    assertEquals(
        "Cannot delete busy object: partition pmore has reservations, and scheduler "
            + with
            + " serves another shard's partitions or adds up usage there; give it to a scheduler"
            + " without partitions, or delete its reservations",
        refused.getLines().get(0));
    assertEquals(shard, PartitionTable.shardOf(shards.tables(0), PARTITION));
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, with, "partition");
    assertEquals(0, give(with).getCode(), "it has none any more");
    assertEquals(shard, shards.shardOfScheduler(with));
  }

  /** Without reservations the partition goes to the shard of a scheduler that has others. */
  @Test
  void aPartitionWithoutReservationsGoesToItsScheduler() {
    served();
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "first", "partition");
    String with = shards.shardOfScheduler("es") == shard ? "ws" : "es";
    int its = shards.shardOfScheduler(with);
    assertEquals(0, give(with).getCode());
    assertEquals(its, PartitionTable.shardOf(shards.tables(0), PARTITION));
    assertEquals(Set.of(its), shards.node("m0").keySet());
  }

  @Test
  void whoHasAddedUpUsageStaysWithIt() {
    served();
    shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "second");
    shards.startEngine("second");
    int its = shards.shardOfScheduler("second");
    Scheduler record = shards.tables(its).schedulers().get("second");
    shards
        .tables(its)
        .schedulers()
        .put("second", Scheduler.newBuilder(record).setEntities(1).build());
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "first", "partition");
    Reply refused = give("second");
    assertEquals(PbsError.OBJECT_BUSY.code(), refused.getCode());
    assertTrue(refused.getLines().get(0).contains("usage of fair share"), refused::toString);
    assertEquals(its, shards.shardOfScheduler("second"));
  }

  /** Partitions come into being where least is, and schedulers that follow them change nothing. */
  @Test
  void partitionsSpreadOverTheShards() {
    Set<Integer> used = new TreeSet<>();
    for (int i = 0; i < TestShards.COUNT - 1; i++) {
      shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "s" + i, "partition=ps" + i);
      shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "for" + i);
      shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "for" + i, "partition=ps" + i);
      int its = shards.shardOfScheduler("for" + i);
      assertEquals(its, PartitionTable.shardOf(shards.tables(0), "ps" + i));
      used.add(its);
    }
    assertEquals(TestShards.COUNT - 1, used.size(), used::toString);
  }
}
