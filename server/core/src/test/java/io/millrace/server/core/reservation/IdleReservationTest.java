package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.HOUR_MS;
import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static io.millrace.server.core.reservation.Reserving.queue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ReserveRun;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reservations that are deleted when they have had no job for long. */
class IdleReservationTest {
  private static final long IDLE_S = 1800;

  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  /** From one to four hours from now, deleted when idle for half an hour. */
  private String reserved() {
    ReservationSpec spec = all.spec("ann", 1, 4, "", chunk(1, 2));
    spec.setDeleteIdleS(IDLE_S);
    String id = all.submit(spec);
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    return id;
  }

  @Test
  void oneThatNobodyUsesIsDeletedInItsWindow() {
    String id = reserved();
    all.toHour(1);
    long late = all.find(id).getIdleDueMs() - all.beginMs - HOUR_MS - IDLE_S * 1000;
    assertTrue(late >= 0 && late < 1000, () -> "since its start: " + late);
    all.toHour(1.49);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    all.toHour(1.51);
    assertNull(all.find(id));
    ReservationEnded end = shards.facts(ReservationEnded.class).get(0);
    assertEquals(ReservationState.DELETED, end.getReservation().getState());
    assertEquals("it was without a job for 1800 seconds", end.getWhy());
    assertEquals(List.of(), all.bookings());
  }

  @Test
  void jobsKeepItAndTheTimeBeginsWhenTheLastOneHasLeft() {
    String id = reserved();
    String held = shards.submit(job("ann", queue(id), 1, 1));
    all.toHour(2);
    assertEquals(0, all.find(id).getIdleDueMs(), "it waits");
    String second = shards.submit(job("ann", queue(id), 1, 1));
    assertEquals(0, shards.ask(0, Calls.delete(shards.user("ann"), held, false)).getCode());
    assertEquals(0, all.find(id).getIdleDueMs(), "another one does");
    assertEquals(0, shards.ask(0, Calls.delete(shards.user("ann"), second, false)).getCode());
    long left = all.find(id).getIdleDueMs() - shards.nowMs - IDLE_S * 1000;
    assertTrue(left <= 0 && left > -1000, () -> "since it has none: " + left);
    all.toHour(2.4);
    String third = shards.submit(job("ann", queue(id), 1, 1));
    assertEquals(0, all.run(third, "n0", 1));
    all.toHour(3.4);
    assertEquals(JobStatus.RUNNING, shards.job(third).getStatus());
    assertNotNull(all.find(id), "the time of before does not count");
    shards.finished(shards.lastStart(), 0);
    all.toHour(3.95);
    assertNull(all.find(id));
  }

  @Test
  void anOccurrenceEndsAndTheNextOneCountsAnew() {
    ReservationSpec spec = all.spec("ann", 1, 2, "", chunk(1, 2));
    spec.setDeleteIdleS(IDLE_S);
    spec.setRule("FREQ=HOURLY;COUNT=2");
    spec.setLaterMs(List.of(all.beginMs + 3 * HOUR_MS));
    String id = all.submit(spec);
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    all.toHour(1);
    all.toHour(1.51);
    Reservation next = all.find(id);
    assertEquals(2, next.getOccurrence());
    assertEquals(0, next.getIdleDueMs());
    all.toHour(3);
    all.toHour(3.49);
    assertNotNull(all.find(id));
    all.toHour(3.51);
    assertNull(all.find(id));
  }

  @Test
  void usuallyOnlyThatOfARunIsDeleted() {
    String other = all.reserved("ann", 1, 4, "n1", 2);
    String id = shards.submit(job("ann", "workq", 1, 3));
    assertEquals(0, all.run(id, "n0", 1));
    shards.started(shards.lastStart());
    ReservationSpec wish = ReservationCalls.spec("ann", "", 0, 0, "");
    String made =
        shards.ask(0, new ReserveRun(shards.user("ann"), id, wish)).getLines().get(0).split(" ")[0];
    assertEquals(600, all.find(made).getSpec().getDeleteIdleS());
    shards.finished(shards.lastStart(), 0);
    shards.pass(599_000);
    assertNotNull(all.find(made));
    shards.pass(2_000);
    assertNull(all.find(made));
    all.toHour(3.9);
    assertNotNull(all.find(other));
  }

  @Test
  void howLongIsBounded() {
    ReservationSpec spec = all.spec("ann", 1, 4, "", chunk(1, 2));
    spec.setDeleteIdleS(Long.MAX_VALUE);
    assertEquals(PbsError.ILLEGAL_VALUE.code(), all.submitted(spec));
    spec.setDeleteIdleS(-2);
    assertEquals(PbsError.ILLEGAL_VALUE.code(), all.submitted(spec));
  }
}
