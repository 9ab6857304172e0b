package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.HOUR_MS;
import static io.millrace.server.core.reservation.Reserving.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.command.ReserveForJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reservations for jobs that wait, as soon as there is room. */
class SoonestReservationTest {
  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  private static ReserveForJob wish(CommandMeta caller, String job, long seconds) {
    ReservationSpec spec = ReservationCalls.spec("nobody", "nowhere", 0, 0, "");
    spec.setName("mine");
    return new ReserveForJob(caller, job, spec, seconds);
  }

  /** Asks for it, and says what the caller gets to hear as soon as it is decided. */
  private CommandMeta asked(String owner, String job) {
    ReserveForJob command = wish(shards.user(owner), job, -10);
    assertNull(shards.ask(0, command));
    assertNull(shards.ask(0, command), "a repeated command makes no second one");
    return command.getMeta();
  }

  private int refused(String caller, String job) {
    return shards.ask(0, wish(shards.user(caller), job, -10)).getCode();
  }

  private Reservation last() {
    List<Reservation> made = ReservationCalls.all(shards.tables(0));
    return made.get(made.size() - 1);
  }

  private int confirmed(Reservation seen, long startMs) {
    ConfirmReservation proposal =
        ReservationCalls.confirm(
            shards.engine("default"),
            shards.epoch("default"),
            "default",
            seen,
            List.of(Calls.share("n1", 1, 3)));
    proposal.setStartMs(startMs);
    return shards.ask(0, proposal).getCode();
  }

  @Test
  void theJobGoesIntoItWhenItIsConfirmed() {
    String id = shards.submit(job("ann", "workq", 3, 2));
    CommandMeta caller = asked("ann", id);
    Reservation open = last();
    assertEquals(ReservationState.UNCONFIRMED, open.getState());
    assertEquals("ann", open.getSpec().getOwner());
    assertEquals(Reserving.DEFAULT, open.getSpec().getPartition());
    assertEquals(2 * HOUR_MS, open.getSpec().getEndMs() - open.getSpec().getStartMs());
    assertEquals("workq", shards.job(id).getSpec().getQueue(), "nothing is moved before");
    long startMs = open.getCreatedMs() + HOUR_MS;
    assertEquals(0, confirmed(open, startMs));
    Reservation made = last();
    assertEquals(List.of(made.getId() + " CONFIRMED"), shards.answer(caller).getLines());
    assertEquals(startMs, made.getSpec().getStartMs());
    assertEquals(startMs + 2 * HOUR_MS, made.getSpec().getEndMs());
    assertEquals(600, made.getSpec().getDeleteIdleS());
    Job job = shards.job(id);
    assertEquals(made.getQueue(), job.getSpec().getQueue());
    assertEquals(JobStatus.QUEUED, job.getStatus());
    assertEquals("workq", shards.facts(JobMoved.class).get(0).getFromQueue());
    all.toHour(1.1);
    assertEquals(ReservationState.RUNNING, last().getState());
    assertEquals(0, all.run(id, "n1", 3));
  }

  @Test
  void withoutRoomInTimeThereIsNoneAndTheJobStays() {
    String id = shards.submit(job("ann", "workq", 3, 2));
    CommandMeta caller = asked("ann", id);
    String name = last().getId();
    shards.pass(11_000);
    assertEquals(name + " DENIED", shards.answer(caller).getLines().get(0));
    assertNull(all.find(name));
    assertEquals("workq", shards.job(id).getSpec().getQueue());
    assertTrue(all.bookings().isEmpty());
  }

  @Test
  void aJobThatHasBegunMeanwhileIsLeftAlone() {
    String id = shards.submit(job("ann", "workq", 3, 2));
    CommandMeta caller = asked("ann", id);
    Reservation open = last();
    assertEquals(0, all.run(id, "n0", 3));
    assertEquals(0, confirmed(open, open.getCreatedMs()));
    assertEquals(
        List.of(open.getId() + " DENIED", "job " + id + " does not wait any more"),
        shards.answer(caller).getLines());
    assertNull(all.find(open.getId()));
    assertEquals("workq", shards.job(id).getSpec().getQueue());
    assertTrue(all.bookings().isEmpty());
  }

  @Test
  void itBeginsNeitherBeforeItWasAskedForNorTooLate() {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "max_reservation_ahead=24:00:00");
    String id = shards.submit(job("ann", "workq", 3, 2));
    asked("ann", id);
    Reservation open = last();
    int bad = PbsError.BAD_TIMES.code();
    assertEquals(bad, confirmed(open, 0));
    assertEquals(bad, confirmed(open, open.getCreatedMs() - 1000));
    assertEquals(bad, confirmed(open, open.getCreatedMs() + 22 * HOUR_MS + 1000));
    assertEquals(0, confirmed(open, open.getCreatedMs() + 21 * HOUR_MS));
    String endless = shards.submit(job("ann", "workq", 1, 0));
    assertEquals(bad, refused("ann", endless));
  }

  @Test
  void aSecondOneTakesTheJobFromTheFirst() {
    String id = shards.submit(job("ann", "workq", 3, 2));
    asked("ann", id);
    assertEquals(0, confirmed(last(), last().getCreatedMs() + HOUR_MS));
    String first = shards.job(id).getSpec().getQueue();
    asked("ann", id);
    assertEquals(0, confirmed(last(), last().getCreatedMs() + 4 * HOUR_MS));
    assertEquals(last().getQueue(), shards.job(id).getSpec().getQueue());
    assertTrue(!first.equals(last().getQueue()), first);
  }

  @Test
  void whoMayNotAndWhatDoesNotWaitIsRefused() {
    String id = shards.submit(job("ann", "workq", 3, 2));
    assertEquals(PbsError.UNAUTHORIZED.code(), refused("eve", id));
    assertEquals(PbsError.UNKNOWN_JOB.code(), refused("ann", "999999.server"));
    String runs = shards.submit(job("ann", "workq", 1, 2));
    assertEquals(0, all.run(runs, "n0", 1));
    assertEquals(PbsError.BAD_STATE.code(), refused("ann", runs));
    ReserveForJob patient = wish(shards.user("ann"), id, 10);
    assertEquals(PbsError.ILLEGAL_VALUE.code(), shards.ask(0, patient).getCode());
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "resv_enable=False");
    assertEquals(PbsError.RESERVATIONS_OFF.code(), refused("ann", id));
    assertTrue(ReservationCalls.all(shards.tables(0)).isEmpty(), "nothing was made");
  }
}
