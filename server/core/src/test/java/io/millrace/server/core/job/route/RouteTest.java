package io.millrace.server.core.job.route;

import static io.millrace.schemas.command.ChangeOperation.CREATE;
import static io.millrace.schemas.command.ChangeOperation.DELETE;
import static io.millrace.schemas.command.ChangeOperation.SET;
import static io.millrace.schemas.common.ObjectKind.QUEUE;
import static io.millrace.schemas.common.ObjectKind.RESOURCE;
import static io.millrace.schemas.common.ObjectKind.SERVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.fact.AnswerRoundEnded;
import io.millrace.schemas.fact.RoutingAdvanced;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.shard.Calls;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouteTest extends RouteFixture {
  /** Answers are forgotten meanwhile. */
  private long factsButRounds() {
    return shards.ledger(0).stream().filter(it -> !(it instanceof AnswerRoundEnded)).count();
  }

  private void refused(String expected, Reply reply) {
    assertEquals(expected, reply.getCode() + " " + String.join(" ", reply.getLines()));
  }

  @Test
  void aJobGoesToTheFirstDestinationThatTakesIt() {
    route("workq,near");
    set("workq", "resources_max.walltime=60");
    shards.must(CREATE, RESOURCE, "gap", "type=long");
    set("near", "resources_default.gap=7");
    String small = accepted(job("ann", 50));
    assertEquals("workq", queue(small));
    assertNull(shards.job(small).getRoute());
    String large = accepted(job("ann", 70));
    assertEquals("near", queue(large));
    assertTrue(shards.job(large).getSpec().getResourceList().contains(new Attribute("gap", "7")));
    assertEquals(List.of(), shards.facts(RoutingAdvanced.class), "nothing waits");
  }

  @Test
  void destinationsAreOfThisServer() {
    route("workq@mill,near@default");
    assertEquals("workq", queue(accepted(job("ann", 50))));
    String expected =
        "15014 Illegal attribute or resource value route_destinations: near@other is of another"
            + " server than mill";
    refused(expected, shards.qmgr(SET, QUEUE, "r", "route_destinations=workq,near@other"));
    refused(
        expected,
        shards.qmgr(CREATE, QUEUE, "r2", "queue_type=r", "route_destinations=near@other"));
    assertEquals("workq", queue(accepted(job("ann", 50))));
  }

  @Test
  void aJobThatNobodyWillTakeIsRefused() {
    route("workq,nowhere");
    set("workq", "resources_max.walltime=60");
    String expected = "15039 Job rejected by all possible destinations";
    refused(expected, submit(job("ann", 70)));
    refused(expected, submit(job("ann", 50), job("ann", 70)));
    set("r", "enabled=f");
    refused("15021 Queue is not enabled", submit(job("ann", 50)));
  }

  @Test
  void aJobWaitsInTheRoutingQueueUntilADestinationHasRoom() {
    route("workq,near", "route_retry_time=10");
    set("workq", "enabled=f");
    set("near", "max_queued=[u:PBS_GENERIC=1]");
    String first = accepted(job("ann", 1));
    String second = accepted(job("ann", 2));
    assertEquals("near", queue(first));
    assertEquals("r", queue(second));
    assertEquals(JobStatus.QUEUED, shards.status(second));
    assertEquals(15400, shards.grant(second, "default", "n0", 1).getCode(), "it never starts");
    shards.pass(10_000);
    assertEquals("r", queue(second));
    shards.ask(0, Calls.delete(shards.user("ann"), first, false));
    assertEquals("r", queue(second), "not before its time");
    shards.pass(10_000);
    assertEquals("near", queue(second));
    assertNull(shards.job(second).getRoute());
    shards.pass(60_000);
    long facts = factsButRounds();
    shards.pass(60_000);
    assertEquals(facts, factsButRounds(), "nothing is tried when nothing waits");
  }

  @Test
  void aHundredWaitingJobsCostNoFactsWhileAllIsFull() {
    route("workq");
    set("workq", "max_queuable=0");
    for (int i = 0; i < 5; i++) {
      NewJob[] jobs = new NewJob[20];
      java.util.Arrays.setAll(jobs, n -> job("ann", 1));
      assertEquals(0, submit(jobs).getCode());
    }
    shards.pass(RETRY_MS);
    int facts = shards.ledger(0).size();
    shards.pass(RETRY_MS);
    assertTrue(
        shards.ledger(0).size() - facts <= 5,
        () -> "" + shards.ledger(0).subList(facts, shards.ledger(0).size()));
    set("workq", "max_queuable=70");
    shards.pass(RETRY_MS);
    assertEquals(70, count("workq"));
    assertEquals(30, count("r"));
    set("workq", "max_queuable=-1".replace("-1", "1000"));
    shards.pass(RETRY_MS);
    assertEquals(100, count("workq"));
  }

  @Test
  void aLimitOfOneUserHoldsUpNobodyElse() {
    route("east");
    set("east", "max_queued=[u:ann=5]");
    NewJob[] jobs = new NewJob[60];
    java.util.Arrays.setAll(jobs, n -> job("ann", 20));
    assertEquals(0, submit(jobs).getCode());
    set("r", "started=f");
    NewJob other = job("bob", 20);
    Reply reply = shards.ask(0, Calls.submit(shards.user("bob"), List.of(), other));
    String bobs = reply.getLines().get(0);
    assertEquals("r", queue(bobs));
    set("r", "started=t");
    shards.pass(RETRY_MS);
    assertEquals("east", queue(bobs));
    assertEquals(6, count("east"));
  }

  @Test
  void aHeldJobGoesOnWhenItIsReleasedOrMayGoHeld() {
    route("workq,east");
    String held = accepted(Calls.held(job("ann", 1), "u"));
    assertEquals("r", queue(held));
    shards.pass(2 * RETRY_MS);
    assertEquals("r", queue(held));
    assertEquals(0, shards.code(0, Calls.release(shards.user("ann"), held, "u")));
    assertEquals("workq", queue(held));
    String other = accepted(Calls.held(job("ann", 1), "u"));
    set("r", "route_held_jobs=t");
    shards.run();
    assertEquals("workq", queue(other));
    assertEquals(JobStatus.HELD, shards.status(other));
    set("r", "route_destinations=east");
    String far = accepted(Calls.held(job("ann", 1), "u"));
    assertEquals("east", queue(far));
    assertEquals(JobStatus.HELD, shards.status(far));
  }

  @Test
  void aStoppedQueueKeepsItsJobsUntilItIsStarted() {
    route("workq", "started=f");
    String id = accepted(job("ann", 1));
    shards.pass(2 * RETRY_MS);
    assertEquals(List.of(), shards.facts(RoutingAdvanced.class));
    assertEquals("r", queue(id));
    set("r", "started=t");
    shards.run();
    assertEquals("workq", queue(id));
  }

  @Test
  void aJobDoesNotWaitLongerThanTheQueueAllows() {
    route("workq", "route_lifetime=100");
    set("workq", "enabled=f");
    String id = accepted(job("ann", 1));
    String held = accepted(Calls.held(job("ann", 1), "u"));
    shards.pass(90_000);
    assertEquals("r", queue(id));
    shards.pass(45_000);
    assertEquals(JobStatus.FINISHED, shards.status(id));
    assertEquals("Route queue lifetime exceeded", shards.job(id).getComment());
    assertEquals(JobStatus.FINISHED, shards.status(held));
  }

  @Test
  void queuesRouteToQueuesThatRouteButNotInACircle() {
    route("workq");
    String[] first = {"queue_type=r", "enabled=t", "started=t", "route_destinations=r"};
    shards.must(CREATE, QUEUE, "first", first);
    NewJob job = job("ann", 1);
    job.getSpec().setQueue("first");
    assertEquals("workq", queue(accepted(job)));
    refused(
        "15014 Illegal attribute or resource value route_destinations: leads back here",
        shards.qmgr(SET, QUEUE, "r", "route_destinations=workq,first"));
    refused(
        "15014 Illegal attribute or resource value route_destinations: leads back here",
        shards.qmgr(SET, QUEUE, "r", "route_destinations=r@mill"));
  }

  @Test
  void aCircleIsFoundHoweverLongAndQueuesAreLookedAtOnce() {
    int last = 30;
    for (int i = 0; i < last; i++) {
      for (String side : List.of("a", "b")) {
        shards.must(
            CREATE,
            QUEUE,
            side + i,
            "queue_type=r",
            "route_destinations=a" + (i + 1) + ",b" + (i + 1));
      }
    }
    refused(
        "15014 Illegal attribute or resource value route_destinations: leads back here",
        shards.qmgr(CREATE, QUEUE, "a" + last, "queue_type=r", "route_destinations=workq,b0"));
    shards.must(CREATE, QUEUE, "b" + last, "queue_type=r", "route_destinations=workq");
    shards.must(SET, QUEUE, "a0", "route_destinations=a1");
  }

  @Test
  void jobsAreMovedIntoAndOutOfRoutingQueues() {
    route("east");
    set("east", "enabled=f");
    String id = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), id, "r")));
    assertEquals("r", queue(id));
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), id, "near")));
    assertEquals("near", queue(id));
    assertNull(shards.job(id).getRoute());
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), id, "west")));
    set("east", "enabled=t");
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), id, "r")));
    assertEquals("east", queue(id));
  }

  @Test
  void someQueuesTakeJobsFromRoutingQueuesOnly() {
    route("workq,east");
    set("workq", "from_route_only=t");
    refused("15022 Access to queue is denied", submit(Calls.job("ann", "workq", 1)));
    assertEquals("workq", queue(accepted(job("ann", 1))));
    String id = shards.submit(Calls.job("ann", "near", 1));
    refused(
        "15022 Access to queue is denied",
        shards.ask(0, Calls.move(shards.user("ann"), id, "workq")));
    set("east", "from_route_only=t");
    set("workq", "enabled=f");
    assertEquals("east", queue(accepted(job("ann", 1))));
  }

  @Test
  void theServersLimitsCountAJobOnce() {
    route("workq,east");
    shards.must(SET, SERVER, "", "max_queued=[u:PBS_GENERIC=1]");
    assertEquals("workq", queue(accepted(job("ann", 1))));
    refused("15142 would exceed complex's per-user limit", submit(job("ann", 1)));
  }

  @Test
  void anAlteredJobIsTriedAnew() {
    route("workq,near");
    set("workq", "resources_max.walltime=60");
    set("near", "enabled=f");
    String id = accepted(job("ann", 70));
    assertEquals(List.of("workq"), shards.job(id).getRoute().getRefused());
    NewJob shorter = job("ann", 50);
    var alter =
        io.millrace.schemas.command.AlterJob.newBuilder()
            .setMeta(shards.user("ann"))
            .setJobId(id)
            .setRequest(shorter.getSpec().getRequest())
            .setResourceList(shorter.getSpec().getResourceList())
            .setAsked(shorter.getSpec().getAsked())
            .build();
    assertEquals(0, shards.code(0, alter));
    assertEquals("workq", queue(id));
  }

  @Test
  void routingQueuesHaveNoPartitionAndOthersNoDestinations() {
    String incompatible = "15218 Route queues are incompatible with the partition attribute ";
    refused(
        incompatible + "partition",
        shards.qmgr(CREATE, QUEUE, "x", "queue_type=route", "partition=P1"));
    refused(incompatible + "queue_type", shards.qmgr(SET, QUEUE, "east", "queue_type=route"));
    route("workq");
    refused(
        "15217 Cannot assign a partition to route queue",
        shards.qmgr(SET, QUEUE, "r", "partition=P1"));
    refused(
        "15026 Warning: type of queue near incompatible with attribute route_lifetime",
        shards.qmgr(SET, QUEUE, "near", "route_lifetime=1"));
    for (String edit :
        List.of("max_run=[o:PBS_ALL=3]", "kill_delay=5", "from_route_only=t", "best_effort=t")) {
      refused(
          "15026 Warning: type of queue r incompatible with attribute " + edit.split("=")[0],
          shards.qmgr(SET, QUEUE, "r", edit));
    }
    refused(
        "15029 No support for requested service: the type of a queue does not change",
        shards.qmgr(SET, QUEUE, "near", "queue_type=route"));
    accepted(job("ann", 1));
    set("workq", "enabled=f");
    String id = accepted(job("ann", 1));
    refused("15027 Cannot delete busy object", shards.qmgr(DELETE, QUEUE, "r"));
    shards.ask(0, Calls.delete(shards.user("ann"), id, false));
    shards.must(DELETE, QUEUE, "r");
    assertFalse(shards.facts(RoutingAdvanced.class).isEmpty());
  }

  /** As qsub -a; it is in state W until its time has come. */
  private static NewJob later(NewJob job, long ms) {
    job.getSpec().setExecutionMs(ms);
    return job;
  }

  @Test
  void aJobThatWaitsForItsTimeGoesOnWhenItHasCome() {
    for (String destination : List.of("workq", "east")) {
      route(destination);
      String id = accepted(later(job("ann", 1), shards.nowMs + 2 * RETRY_MS));
      assertEquals("r", queue(id), "as one with a hold");
      shards.pass(RETRY_MS);
      assertEquals("r", queue(id));
      shards.pass(RETRY_MS);
      shards.run();
      assertEquals(destination, queue(id));
      assertEquals(JobStatus.QUEUED, shards.status(id));
      shards.must(DELETE, QUEUE, "r");
    }
  }

  @Test
  void aJobThatWaitsForOthersGoesOnWhenTheyHaveEnded() {
    for (String destination : List.of("workq", "east")) {
      route(destination);
      String first = shards.submit(Calls.job("ann", "near", 1));
      NewJob next = job("ann", 1);
      WaitedJob on = new WaitedJob(shards.job(first).getNumber(), shards.where(first), false);
      next.setDepend(List.of(new Dependency(DependencyKind.AFTERANY, 0, List.of(on))));
      String id = accepted(next);
      assertEquals("r", queue(id), "as one with a hold");
      shards.ask(0, Calls.delete(shards.user("ann"), first, false));
      assertEquals(destination, queue(id));
      assertEquals(JobStatus.QUEUED, shards.status(id));
      String over = accepted(next);
      assertEquals(destination, queue(over));
      shards.must(DELETE, QUEUE, "r");
    }
  }
}
