package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static io.millrace.server.core.reservation.Reserving.queue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.SettleReservation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.StartAction;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A reservation may lie over runs of others, which give way when it begins. */
class RunsOfOthersTest {
  private static final int NO_ROOM = PbsError.NO_ROOM.code();

  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  private void says(String... pairs) {
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "default", pairs);
  }

  /** A job that runs on n0 without an end. */
  private StartRun running(NewJob job, int ncpus) {
    assertEquals(0, all.run(shards.submit(job), "n0", ncpus));
    StartRun run = shards.lastStart();
    shards.started(run);
    return run;
  }

  private ReservationSpec spec(double fromHour, double toHour, String place, long ncpus) {
    ReservationSpec spec = all.spec("ann", fromHour, toHour, place, chunk(1, ncpus));
    spec.setOthers(new OthersAtStart(StartAction.WAIT, 77L)); // what a command says does not count
    return spec;
  }

  /** From the first hour to the second, on all of n0. */
  private String over() {
    String id = all.submit(spec(1, 2, "excl", 4));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 4)));
    return id;
  }

  private List<RunPreempted> gaveWay() {
    return shards.facts(RunPreempted.class);
  }

  @Test
  void theJobIsQueuedAgainAndRunsElsewhere() {
    StartRun run = running(job("cy", "workq", 3, 0), 3);
    String id = over();
    String inside = shards.submit(job("ann", queue(id), 4, 0));
    all.toHour(0.99);
    assertEquals(List.of(), gaveWay());
    all.toHour(1.001);
    RunPreempted fact = gaveWay().get(0);
    assertEquals(run.getJobId(), fact.getJobId());
    assertEquals(id, fact.getForJob());
    assertTrue(fact.getAgain());
    assertEquals(run.getJobId(), shards.lastKill().getJobId());
    assertEquals(NO_ROOM, all.run(inside, "n0", 4), "it is still there");
    shards.finished(run, 265);
    assertEquals(JobStatus.QUEUED, shards.status(run.getJobId()));
    RunRequeued end = shards.facts(RunRequeued.class).get(0);
    assertEquals(ExitStatus.PREEMPTED, end.getExitStatus());
    assertEquals("preempted for " + id, end.getWhy());
    assertEquals(0, all.run(inside, "n0", 4));
    assertEquals(NO_ROOM, all.run(run.getJobId(), "n0", 3));
    assertEquals(0, all.run(run.getJobId(), "n1", 3));
    assertEquals(1, gaveWay().size());
  }

  /** A node has of some resources as much as anybody asks for. */
  @Test
  void nobodyGivesWayForWhatNodesHaveWithoutLimit() {
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "lic", "type=long", "flag=nh");
    Map<String, String> texts = Map.of("sched_config", "resources: \"ncpus\"\n");
    says("policy=sched_config", "sched_config=" + StoredPolicy.join(texts, "Europe/Berlin"));
    Map<String, Long> amounts = Map.of("ncpus", 2L, "mpiprocs", 2L, "lic", 1L);
    Chunk chunk = new Chunk(1, amounts, Map.of());
    NodeShare share = new NodeShare("n0", "", 1, amounts);
    String job = shards.submit(Calls.job("cy", "workq", Calls.request("", chunk)));
    CommandMeta engine = shards.engine("default");
    assertEquals(
        0,
        shards.ask(0, Calls.run(engine, "default", shards.epoch("default"), job, share)).getCode());
    shards.started(shards.lastStart());
    ReservationSpec spec = all.spec("ann", 1, 2, "", chunk);
    spec.setOthers(new OthersAtStart(StartAction.WAIT, 0L));
    assertEquals(0, all.confirm(all.submit(spec), share));
    all.toHour(1.1);
    assertEquals(List.of(), gaveWay());
  }

  @Test
  void pbsAndWhoeverDoesNotAskForItLieOverNoRun() {
    running(job("cy", "workq", 1, 0), 1);
    String id = all.submit(all.spec("ann", 1, 2, "", chunk(1, 4)));
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 1, 4)));
    says("reservation_start=avoid");
    String other = all.submit(spec(1, 2, "", 4));
    assertEquals(NO_ROOM, all.confirm(other, Calls.share("n0", 1, 4)));
    assertNull(all.find(other).getSpec().getOthers());
  }

  @Test
  void whatHasARunOfAnotherReservationIsNotTaken() {
    String first = all.reserved("bob", 1, 4, "n0", 2);
    all.toHour(1.1);
    running(job("bob", queue(first), 2, 0), 2);
    String id = all.submit(spec(2, 3, "", 3));
    assertEquals(NO_ROOM, all.confirm(id, Calls.share("n0", 1, 3)));
    String small = all.submit(spec(2, 3, "", 2));
    assertEquals(0, all.confirm(small, Calls.share("n0", 1, 2)));
    all.toHour(2.1);
    assertEquals(List.of(), gaveWay());
  }

  @Test
  void aJobThatMayNotRunAgainIsOver() {
    NewJob once = job("cy", "workq", 3, 0);
    once.getSpec().setRerunnable(false);
    StartRun run = running(once, 3);
    over();
    all.toHour(1.001);
    shards.finished(run, 265);
    assertEquals(JobStatus.FINISHED, shards.status(run.getJobId()));
  }

  @Test
  void anAdministratorSaysWhatBecomesOfThem() {
    says("reservation_start=kill", "reservation_lead=00:10:00");
    StartRun run = running(job("cy", "workq", 3, 0), 3);
    String id = over();
    assertEquals(new OthersAtStart(StartAction.KILL, 600_000L), all.find(id).getSpec().getOthers());
    says("reservation_start=wait"); // for those that are asked for from now on
    all.toHour(0.82);
    assertEquals(List.of(), gaveWay());
    all.toHour(0.84);
    assertEquals(1, gaveWay().size());
    shards.finished(run, 265);
    assertEquals(JobStatus.FINISHED, shards.status(run.getJobId()));
    String next = shards.submit(job("cy", "workq", 1, 1));
    assertEquals(NO_ROOM, all.run(next, "n0", 1), "it would last into the window");
  }

  @Test
  void aRunIsSuspendedAndGoesOnBehindTheWindow() {
    says("reservation_start=suspend");
    StartRun run = running(job("cy", "workq", 3, 0), 3);
    over();
    all.toHour(1.001);
    assertEquals(Suspension.RESUMABLE, shards.job(run.getJobId()).getSuspension());
    assertEquals(NO_ROOM, shards.ask(0, resume(run)).getCode());
    all.toHour(2.01);
    assertEquals(0, shards.ask(0, resume(run)).getCode());
  }

  private ResumeRun resume(StartRun run) {
    return new ResumeRun(
        shards.engine("default"), "default", shards.epoch("default"), run.getJobId(), 1);
  }

  @Test
  void runsThatAreAwaitedEndByThemselves() {
    says("reservation_start=wait");
    NewJob once = job("cy", "workq", 3, 0);
    once.getSpec().setRerunnable(false);
    StartRun run = running(once, 3);
    String inside = shards.submit(job("ann", queue(over()), 4, 0));
    all.toHour(1.5);
    assertEquals(0, shards.dispatch().stream().filter(KillRun.class::isInstance).count());
    assertEquals(NO_ROOM, all.run(inside, "n0", 4));
    shards.finished(run, 0);
    assertEquals(0, all.run(inside, "n0", 4));
  }

  @Test
  void ofANodeThatIsSharedOnlyTheYoungestGoThatHaveTo() {
    running(job("cy", "workq", 1, 0), 1);
    shards.pass(1000);
    StartRun middle = running(job("cy", "workq", 1, 0), 1);
    shards.pass(1000);
    StartRun young = running(job("cy", "workq", 1, 0), 1);
    running(job("cy", "workq", 1, 0.5), 1); // is over by then
    String id = all.submit(spec(1, 2, "", 3));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3)));
    all.toHour(1.001);
    assertEquals(
        List.of(young.getJobId(), middle.getJobId()),
        gaveWay().stream().map(RunPreempted::getJobId).toList());
  }

  @Test
  void whatIsOnlyHeldStopsNobodyUntilItIsCommitted() {
    running(job("cy", "workq", 3, 0), 3);
    says("reservation_lead=00:30:00");
    SubmitReservation held =
        new SubmitReservation(shards.user("ann"), spec(0.4, 2, "excl", 4), 0L, false, true, false);
    String id = shards.ask(0, held).getLines().get(0).split(" ")[0];
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 4)));
    all.toHour(0.1);
    assertEquals(List.of(), gaveWay());
    assertEquals(
        0, shards.ask(0, new SettleReservation(shards.user("ann"), id, true, false)).getCode());
    all.toHour(0.11);
    assertEquals(1, gaveWay().size(), "its lead has begun");
  }

  @Test
  void ofManyRunsSomeGoAtOnceAndTheRestBehindThem() {
    shards.nodeUp("n0", 64);
    for (int i = 0; i < 50; i++) {
      running(job("cy", "workq", 1, 0), 1);
    }
    over();
    all.toHour(1.001);
    assertEquals(50, gaveWay().size());
    assertEquals(50, gaveWay().stream().map(RunPreempted::getJobId).distinct().count());
  }

  @Test
  void ofManyRunsOfASharedNodeNoMoreGoThanHaveTo() {
    shards.nodeUp("n0", 64);
    for (int i = 0; i < 50; i++) {
      running(job("cy", "workq", 1, 0), 1);
    }
    assertEquals(0, all.confirm(all.submit(spec(1, 2, "", 45)), Calls.share("n0", 1, 45)));
    all.toHour(1.001);
    assertEquals(31, gaveWay().size());
  }
}
