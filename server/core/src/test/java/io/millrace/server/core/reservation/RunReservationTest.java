package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.HOUR_MS;
import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static io.millrace.server.core.reservation.Reserving.queue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.command.ReserveRun;
import io.millrace.schemas.command.SuspendRun;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reservations that are made of runs. */
class RunReservationTest {
  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  /** The id of a job that has begun to run. */
  private String running(NewJob wish, String node, long ncpus) {
    String id = shards.submit(wish);
    assertEquals(0, all.run(id, node, ncpus));
    shards.started(shards.lastStart());
    shards.run();
    return id;
  }

  private Reply reserve(CommandMeta caller, String job) {
    ReservationSpec spec = ReservationCalls.spec("nobody", "nowhere", 0, 0, "");
    spec.setName("mine");
    return shards.ask(0, new ReserveRun(caller, job, spec));
  }

  private int refused(String caller, String job) {
    return reserve(shards.user(caller), job).getCode();
  }

  /** The reservation of the run of a job. */
  private Reservation reserved(String owner, String job) {
    Reply reply = reserve(shards.user(owner), job);
    assertEquals(0, reply.getCode(), reply::toString);
    String[] words = reply.getLines().get(0).split(" ");
    assertEquals("CONFIRMED", words[1]);
    return all.find(words[0]);
  }

  @Test
  void theRunsNodesAreItsUsersUntilTheEndOfItsWalltime() {
    String id = running(job("ann", "workq", 3, 2), "n0", 3);
    all.toHour(1);
    Reservation made = reserved("ann", id);
    assertEquals(ReservationState.RUNNING, made.getState());
    assertEquals("(n0:ncpus=3)", made.getNodes());
    assertEquals(id, made.getJob());
    assertEquals("mine", made.getSpec().getName());
    assertEquals("ann", made.getSpec().getOwner());
    assertEquals(List.of("ann@" + Calls.HOST), made.getSpec().getUsers());
    assertEquals(Reserving.DEFAULT, made.getSpec().getPartition());
    long ends = shards.job(id).getStartedMs() + 2 * HOUR_MS;
    assertEquals(ends / 1000 * 1000, made.getSpec().getEndMs());
    assertEquals((ends - 2 * HOUR_MS) / 1000 * 1000, made.getSpec().getStartMs());
    Job job = shards.job(id);
    assertEquals(made.getQueue(), job.getSpec().getQueue());
    assertEquals(JobStatus.RUNNING, job.getStatus());
    assertTrue(job.getQueuedMs() < job.getStartedMs(), "it has waited before it ran");
    NodeBooking booked = all.bookings().get(0);
    assertEquals("n0", booked.getNode());
    assertEquals(made.getSpec().getEndMs(), booked.getEndMs());
    assertEquals(1, shards.facts(ReservationStarted.class).size());
    assertEquals("workq", shards.facts(JobMoved.class).get(0).getFromQueue());
  }

  @Test
  void whatTheRunLeavesIsForOthersAndTheRestForItsUser() {
    String id = running(job("ann", "workq", 3, 2), "n0", 3);
    Reservation made = reserved("ann", id);
    assertEquals(0, all.run(shards.submit(job("bob", "workq", 1, 1)), "n0", 1));
    String more = shards.submit(job("bob", "workq", 1, 1));
    assertEquals(PbsError.NO_ROOM.code(), all.run(more, "n0", 1));
    String next = shards.submit(job("ann", made.getQueue(), 3, 1));
    assertEquals(PbsError.NO_ROOM.code(), all.run(next, "n0", 3), "the first one has it");
    shards.finished(firstStart(id), 0);
    shards.run();
    assertEquals(JobStatus.FINISHED, shards.job(id).getStatus());
    assertEquals(PbsError.NO_ROOM.code(), all.run(more, "n0", 1), "it is still reserved");
    assertEquals(0, all.run(next, "n0", 3));
    all.toHour(3);
    shards.run();
    assertEquals(next, shards.lastKill().getJobId(), "the window is over");
  }

  /** An engine may not have heard yet that the job is in a reservation. */
  @Test
  void nobodyOutsideStopsIt() {
    String id = running(job("ann", "workq", 2, 2), "n0", 2);
    String outside = shards.submit(job("bob", "workq", 1, 1));
    Reservation made = reserved("ann", id);
    for (String ways : List.of("S", "R", "D", "SRD")) {
      assertEquals(PbsError.BAD_STATE.code(), preempt(id, outside, ways), ways);
    }
    assertEquals(PbsError.BAD_STATE.code(), preempt(id, "99.nowhere", "R"));
    long epoch = shards.epoch("default");
    SuspendRun halt = new SuspendRun(shards.engine("default"), "default", epoch, id, 1);
    assertEquals(PbsError.BAD_STATE.code(), shards.ask(0, halt).getCode());
    assertEquals(List.of(), shards.facts(RunSuspended.class));
    assertEquals(List.of(), shards.facts(RunKillRequested.class));
    String inside = shards.submit(job("ann", made.getQueue(), 2, 1));
    assertEquals(0, preempt(id, inside, "R"), "one of the same reservation may");
  }

  private int preempt(String job, String forJob, String ways) {
    long epoch = shards.epoch("default");
    PreemptJob wish = new PreemptJob(shards.engine("default"), "default", epoch, job, forJob, ways);
    return shards.ask(0, wish).getCode();
  }

  private StartRun firstStart(String job) {
    return shards.dispatch().stream()
        .filter(StartRun.class::isInstance)
        .map(StartRun.class::cast)
        .filter(it -> it.getJobId().equals(job))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRunWithoutWalltimeIsReservedForFiveYears() {
    String id = running(job("ann", "workq", 1, 0), "n0", 1);
    ReservationSpec spec = reserved("ann", id).getSpec();
    assertEquals(5 * 365 * 24 * HOUR_MS, spec.getEndMs() - spec.getStartMs());
    String walltime =
        spec.getResourceList().stream()
            .filter(it -> it.getName().equals("walltime"))
            .map(Attribute::getValue)
            .findFirst()
            .orElseThrow();
    assertEquals("43800:00:00", walltime);
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "max_reservation_ahead=24:00:00");
    String other = running(job("ann", "workq", 1, 0), "n1", 1);
    assertEquals(PbsError.BAD_TIMES.code(), refused("ann", other));
  }

  @Test
  void whoMayNotAndWhatIsNoRunIsRefused() {
    String id = running(job("ann", "workq", 1, 2), "n0", 1);
    assertEquals(PbsError.UNAUTHORIZED.code(), refused("eve", id));
    String waits = shards.submit(job("ann", "workq", 1, 2));
    assertEquals(PbsError.BAD_STATE.code(), refused("ann", waits));
    assertEquals(PbsError.UNKNOWN_JOB.code(), refused("ann", "999999.server"));
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "resv_enable=False");
    assertEquals(PbsError.RESERVATIONS_OFF.code(), refused("ann", id));
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "resv_enable=True");
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "max_reservations=[u:ann=0]");
    assertEquals(PbsError.RESERVATION_LIMIT.code(), refused("ann", id));
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "max_reservations=[u:ann=9]");
    shards.must(
        ChangeOperation.CREATE,
        ObjectKind.QUEUE,
        "rest",
        "queue_type=e",
        "enabled=t",
        "started=t",
        "best_effort=True");
    String rest = running(job("ann", "rest", 1, 2), "n1", 1);
    assertEquals(PbsError.UNSUPPORTED.code(), refused("ann", rest));
    assertTrue(all.bookings().isEmpty(), "nothing was made");
    assertEquals("workq", shards.job(id).getSpec().getQueue());
    Reservation made = reserved("ann", id);
    assertEquals(PbsError.RESERVATION_OF_RESERVED.code(), refused("ann", id));
    assertEquals(1, ReservationCalls.all(shards.tables(0)).size(), made::getId);
  }

  @Test
  void anOperatorReservesForTheJobsOwner() {
    String id = running(job("ann", "workq", 1, 2), "n0", 1);
    Reply reply = reserve(shards.operator(), id);
    assertEquals(0, reply.getCode(), reply::toString);
    Reservation made = all.find(reply.getLines().get(0).split(" ")[0]);
    assertEquals("ann", made.getSpec().getOwner());
  }

  @Test
  void nodesThatMayNotBeReservedAreNotReservedForARunEither() {
    int notReservable = PbsError.NOT_RESERVABLE.code();
    String id = running(job("ann", "workq", 1, 2), "n0", 1);
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "resv_enable=False");
    Reply refused = reserve(shards.user("ann"), id);
    assertEquals(notReservable, refused.getCode());
    assertTrue(refused.getLines().toString().contains("n0: its resv_enable"), refused::toString);
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "resv_enable=True");
    shards.must(ChangeOperation.CREATE, ObjectKind.QUEUE, "special", "queue_type=e");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "queue=special");
    refused = reserve(shards.user("ann"), id);
    assertEquals(notReservable, refused.getCode());
    assertTrue(refused.getLines().toString().contains("n0: it is bound to"), refused::toString);
    shards.must(ChangeOperation.UNSET, ObjectKind.NODE, "n0", "queue");
    String text = "reservable_ad=PLUS_NODE_RESERVABLE = PLUS_CANDIDATE_NODE.name == \"n1\"";
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "default", text);
    refused = reserve(shards.user("ann"), id);
    assertEquals(notReservable, refused.getCode());
    assertTrue(
        refused.getLines().toString().contains("n0: PLUS_NODE_RESERVABLE is false"),
        refused::toString);
    assertTrue(all.bookings().isEmpty(), "nothing was made");
    assertEquals("workq", shards.job(id).getSpec().getQueue());
    reserved("ann", running(job("ann", "workq", 1, 2), "n1", 1));
  }

  @Test
  void hostsUnderMaintenanceAreNotReserved() {
    String id = running(job("ann", "workq", 1, 3), "n0", 1);
    ReservationSpec spec = all.spec("root", 1, 2, "");
    spec.setMaintained(List.of("n0"));
    Reply reply = shards.ask(0, ReservationCalls.submit(shards.manager(), spec, 0));
    assertEquals(0, reply.getCode(), reply::toString);
    assertEquals(PbsError.NO_ROOM.code(), refused("ann", id));
  }

  @Test
  void aJobCanAskForItAtItsSubmission() {
    NewJob wish = job("ann", "workq", 2, 2);
    wish.getSpec().setReserveRun(true);
    String id = running(wish, "n0", 2);
    List<Reservation> made = ReservationCalls.all(shards.tables(0));
    assertEquals(1, made.size());
    assertEquals(id, made.get(0).getJob());
    assertEquals(made.get(0).getQueue(), shards.job(id).getSpec().getQueue());
    NewJob refused = job("ann", "workq", 2, 2);
    refused.getSpec().setReserveRun(true);
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "resv_enable=False");
    String other = running(refused, "n1", 2);
    assertEquals(JobStatus.RUNNING, shards.job(other).getStatus(), "it runs all the same");
    assertEquals("workq", shards.job(other).getSpec().getQueue());
    assertEquals(1, ReservationCalls.all(shards.tables(0)).size());
  }

  @Test
  void theEndOfTheReservationEndsTheRun() {
    String id = running(job("ann", "workq", 1, 2), "n0", 1);
    String name = reserved("ann", id).getId();
    assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.user("ann"), name)).getCode());
    assertEquals(id, shards.lastKill().getJobId());
    shards.finished(firstStart(id), 271);
    shards.pass(1);
    assertNull(all.find(name));
    assertTrue(all.bookings().isEmpty());
    assertFalse(queue(name).isEmpty());
    assertEquals(0, all.run(shards.submit(job("bob", "workq", 4, 1)), "n0", 4));
  }

  @Test
  void ofARunThatWantsItsNodeForItselfTheWholeNode() {
    NewJob alone = Calls.job("ann", "workq", Calls.request("excl", chunk(1, 1)));
    String id = running(alone, "n0", 1);
    reserved("ann", id);
    assertTrue(all.bookings().get(0).getExclusive());
  }
}
