package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.job;
import static io.millrace.server.core.reservation.Reserving.queue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunShortened;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.output.MessageRun;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs that begin later than they were granted, before a reservation and in its window. */
class LateStartTest {
  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  private StartRun granted(NewJob job, String node, long ncpus) {
    assertEquals(0, all.run(shards.submit(job), node, ncpus));
    return shards.lastStart();
  }

  private List<String> limits() {
    return shards.dispatch().stream()
        .filter(SignalRun.class::isInstance)
        .map(it -> ((SignalRun) it).getSignal())
        .filter(it -> it.startsWith("limit"))
        .toList();
  }

  /** Files were staged in for a third of an hour; its walltime would end that much too late. */
  @Test
  void aRunThatBeginsLateEndsWhenTheReservationBegins() {
    String id = all.reserved("ann", 1, 2, "n0", 3);
    StartRun run = granted(job("cy", "workq", 2, 0.99), "n0", 2);
    all.toHour(0.5);
    shards.started(run);
    RunShortened shortened = shards.facts(RunShortened.class).get(0);
    assertEquals(id, shortened.getReservation());
    long leftS = shortened.getWalltimeS();
    assertTrue(leftS > 1790 && leftS <= 1800, "seconds left: " + leftS);
    assertEquals(List.of("limit" + leftS), limits());
    MessageRun told = (MessageRun) shards.dispatch().get(shards.dispatch().size() - 1);
    assertTrue(told.getText().contains(id), told.getText());
    assertEquals(0.99 * 3600, shards.job(run.getJobId()).getSpec().getRequest().getWalltimeS());
    // The shard counts it as one that ends then: the reservation gets no more than it has.
    String more = all.submit(all.spec("bo", 1, 2, "", Reserving.chunk(1, 1)));
    assertEquals(0, all.confirm(more, Calls.share("n0", 1, 1)));
    all.toHour(1.01);
    shards.finished(run, 271);
    String inside = shards.submit(job("ann", queue(id), 3, 0));
    assertEquals(0, all.run(inside, "n0", 3));
  }

  @Test
  void aRunWithRoomBesideTheReservationKeepsItsWalltime() {
    all.reserved("ann", 1, 2, "n0", 3);
    StartRun beside = granted(job("cy", "workq", 1, 0.99), "n0", 1);
    StartRun before = granted(job("cy", "workq", 3, 0.4), "n0", 3);
    all.toHour(0.5);
    shards.started(beside);
    shards.started(before);
    assertEquals(List.of(), shards.facts(RunShortened.class));
    assertEquals(List.of(), limits());
  }

  /** His own host, or a file of the job's owner, says that it began long ago. */
  @Test
  void aRunThatSaysItBeganBeforeItsGrantIsInTheWayUntilItsEnd() {
    StartRun run = granted(job("cy", "workq", 2, 2), "n0", 2);
    shards.started(run, 0);
    String over = all.submit(all.spec("ann", 1, 3, "", Reserving.chunk(1, 3)));
    assertEquals(PbsError.NO_ROOM.code(), all.confirm(over, Calls.share("n0", 1, 3)));
    String behind = all.submit(all.spec("ann", 2.1, 3, "", Reserving.chunk(1, 3)));
    assertEquals(0, all.confirm(behind, Calls.share("n0", 1, 3)));
    assertEquals(PbsError.BOOKED.code(), alter(run.getJobId(), 2.5));
  }

  /** Its end was to be that of the free time; the moment until its host tells is no reason. */
  @Test
  void lessThanASecondIsNoReason() {
    all.reserved("ann", 1, 2, "n0", 3);
    double hours = (all.beginMs + Reserving.HOUR_MS - shards.nowMs) / 1000 / 3600.0;
    StartRun run = granted(job("cy", "workq", 2, hours), "n0", 2);
    shards.started(run);
    assertEquals(List.of(), shards.facts(RunShortened.class));
  }

  @Test
  void whatARunLiesOverAnywayDoesNotShortenIt() {
    StartRun run = granted(job("cy", "workq", 2, 3), "n0", 2);
    var spec = all.spec(shards.operator().getPrincipal(), 1, 2, "");
    spec.setMaintained(List.of("n0"));
    assertEquals(0, shards.ask(0, ReservationCalls.submit(shards.operator(), spec, 0)).getCode());
    all.toHour(0.5);
    shards.started(run);
    assertEquals(List.of(), shards.facts(RunShortened.class));
  }

  @Test
  void aNewWalltimeTakesThePlaceOfTheLimitWhereThereIsRoom() {
    String id = all.reserved("ann", 1, 2, "n0", 3);
    StartRun run = granted(job("cy", "workq", 2, 0.99), "n0", 2);
    all.toHour(0.5);
    shards.started(run);
    assertEquals(PbsError.BOOKED.code(), alter(run.getJobId(), 0.9));
    assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.user("ann"), id)).getCode());
    assertEquals(0, alter(run.getJobId(), 0.9));
    assertEquals(0, shards.job(run.getJobId()).getBookedLimitS());
    assertEquals("limit3240", limits().get(limits().size() - 1));
  }

  private int alter(String job, double hours) {
    ResourceRequest request = Calls.request("", new Chunk(1, Map.of("ncpus", 2L), Map.of()));
    request.setWalltimeS((long) (hours * 3600));
    AlterJob wish =
        AlterJob.newBuilder()
            .setMeta(shards.operator())
            .setJobId(job)
            .setRequest(request)
            .setResourceList(List.of())
            .build();
    return shards.ask(0, wish).getCode();
  }

  /** What is staged in when the window begins has used nothing of its walltime. */
  @Test
  void aRunThatHasNotBegunGivesWayToAWindowThatBegins() {
    String id = all.reserved("ann", 1, 2, "n0", 3);
    StartRun staged = granted(job("cy", "workq", 2, 0.9), "n0", 2);
    StartRun beside = granted(job("cy", "workq", 1, 0.9), "n0", 1);
    all.toHour(1.1);
    RunPreempted gone = shards.facts(RunPreempted.class).get(0);
    assertEquals(staged.getJobId(), gone.getJobId());
    assertEquals(id, gone.getForJob());
    assertTrue(gone.getAgain());
    assertEquals(1, shards.facts(RunPreempted.class).size(), "one cpu is free beside it");
    assertEquals(KillPurpose.NONE, shards.job(beside.getJobId()).getKilling());
    shards.finished(staged, 271);
    assertEquals(JobStatus.QUEUED, shards.job(staged.getJobId()).getStatus());
    String inside = shards.submit(job("ann", queue(id), 3, 0));
    assertEquals(0, all.run(inside, "n0", 3));
  }

  @Test
  void oneThatShouldBeOverIsShortenedToo() {
    StartRun run = granted(job("cy", "workq", 2, 0.2), "n0", 2);
    all.toHour(0.3);
    all.reserved("ann", 0.4, 2, "n0", 4);
    all.toHour(0.39);
    shards.started(run);
    RunShortened shortened = shards.facts(RunShortened.class).get(0);
    assertTrue(shortened.getWalltimeS() < 60, shortened::toString);
  }

  /** Its host was cut off when the window began, so that nobody could end it then. */
  @Test
  void aRunThatBeginsInTheWindowGivesWay() {
    String id = all.reserved("ann", 1, 2, "n0", 3);
    StartRun run = granted(job("cy", "workq", 2, 0.9), "n0", 2);
    CommandMeta meta = shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
    shards.send(0, new NoteHostSilent(meta, "n0", Calls.SPOOL, 30L));
    shards.run();
    all.toHour(1.1);
    assertEquals(List.of(), shards.facts(RunPreempted.class));
    shards.nodeUp("n0", 4);
    shards.started(run);
    RunPreempted gone = shards.facts(RunPreempted.class).get(0);
    assertEquals(id, gone.getForJob());
    assertEquals(List.of(), shards.facts(RunShortened.class));
  }

  /** Staged in for ten minutes, and stopped by its owner before it began: it has not run at all. */
  @Test
  void aRunThatIsSuspendedBeforeItBeginsHasItsWholeWalltimeBeforeIt() {
    StartRun run = granted(job("cy", "workq", 2, 1), "n0", 2);
    all.toHour(0.1);
    signal(run.getJobId(), "suspend");
    assertEquals(0, shards.facts(RunSuspended.class).get(0).getRanMs());
    shards.started(run);
    all.reserved("ann", 1.3, 2, "n0", 3);
    all.toHour(0.4);
    signal(run.getJobId(), "resume");
    assertEquals(PbsError.NO_ROOM.code(), resume(run), "its host ends it an hour after it goes on");
  }

  @Test
  void aRunThatGoesOnBeforeItBeginsCountsFromItsBegin() {
    StartRun run = granted(job("cy", "workq", 2, 1), "n0", 2);
    all.toHour(0.1);
    signal(run.getJobId(), "suspend");
    signal(run.getJobId(), "resume");
    assertEquals(0, resume(run));
    all.toHour(0.2);
    shards.started(run);
    String over = all.submit(all.spec("ann", 1.15, 2, "", Reserving.chunk(1, 3)));
    assertEquals(PbsError.NO_ROOM.code(), all.confirm(over, Calls.share("n0", 1, 3)));
    String behind = all.submit(all.spec("ann", 1.25, 2, "", Reserving.chunk(1, 3)));
    assertEquals(0, all.confirm(behind, Calls.share("n0", 1, 3)));
  }

  private void signal(String job, String signal) {
    assertEquals(0, shards.ask(0, Calls.signal(shards.operator(), job, signal)).getCode());
  }

  private int resume(StartRun run) {
    CommandMeta engine = shards.engine("default");
    long epoch = shards.epoch("default");
    return shards
        .ask(0, new ResumeRun(engine, "default", epoch, run.getJobId(), run.getRun()))
        .getCode();
  }
}
