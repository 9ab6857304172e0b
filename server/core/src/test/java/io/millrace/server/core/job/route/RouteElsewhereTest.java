package io.millrace.server.core.job.route;

import static io.millrace.schemas.command.ChangeOperation.SET;
import static io.millrace.schemas.common.ObjectKind.QUEUE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.fact.JobOffered;
import io.millrace.schemas.fact.RoutingAdvanced;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.work.RoutingWork;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Destinations whose partition is another shard's. */
class RouteElsewhereTest extends RouteFixture {
  @Test
  void destinationsAreInOtherPartitions() {
    route("east,west");
    set("east", "resources_max.walltime=60");
    set("west", "resources_max.walltime=100");
    String small = accepted(job("ann", 50));
    assertEquals("east", queue(small));
    assertEquals(shards.shardOfQueue("east"), shards.where(small));
    assertNull(shards.job(small).getRoute());
    String large = accepted(job("ann", 70));
    assertEquals("west", queue(large));
    String huge = accepted(job("ann", 200));
    Job ended = shards.job(huge);
    assertEquals(JobStatus.FINISHED, ended.getStatus());
    assertEquals("Job rejected by all possible destinations", ended.getComment());
    assertEquals(0, count("r"));
  }

  @Test
  void aFullDestinationElsewhereIsAskedAFewTimesOnly() {
    route("east,workq");
    set("workq", "resources_max.walltime=10");
    set("east", "max_queuable=30");
    NewJob[] jobs = new NewJob[100];
    java.util.Arrays.setAll(jobs, n -> job("ann", 20));
    assertEquals(0, submit(jobs).getCode());
    shards.run();
    assertEquals(30, count("east"));
    assertEquals(70, count("r"));
    int offers = shards.facts(JobOffered.class).size();
    shards.pass(RETRY_MS);
    int tried = shards.facts(JobOffered.class).size() - offers;
    assertTrue(tried <= 2 * RouteAttempts.OFFERS_MAX, () -> tried + " offers in one pass");
    set("east", "max_queuable=1000");
    shards.pass(RETRY_MS);
    assertEquals(100, count("east"));
    assertEquals(0, count("r"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"workq", "west"})
  void jobsForAFullDestinationElsewhereHoldUpNoneForAnotherOne(String other) {
    route("east," + other);
    set("east", "enabled=f");
    set(other, "enabled=f", "resources_max.walltime=10");
    NewJob[] large = new NewJob[50];
    java.util.Arrays.setAll(large, n -> job("ann", 20));
    assertEquals(0, submit(large).getCode());
    List<String> small = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      small.add(accepted(job("ann", 5)));
    }
    set(other, "enabled=t");
    shards.pass(RETRY_MS);
    int offers = shards.facts(JobOffered.class).size();
    shards.pass(RETRY_MS);
    for (String id : small) {
      assertEquals(other, queue(id));
    }
    assertEquals(50, count("r"));
    shards.pass(RETRY_MS);
    int tried = shards.facts(JobOffered.class).size() - offers;
    assertTrue(tried <= 3 * RouteAttempts.OFFERS_MAX, () -> tried + " offers in two passes");
  }

  @Test
  void aDestinationElsewhereThatIsNamedTwiceIsAskedOnce() {
    route("west,west,west@mill");
    set("west", "enabled=f");
    String waiting = accepted(job("ann", 1));
    assertEquals(1, shards.facts(JobOffered.class).size());
    assertEquals("r", queue(waiting));
    set("west", "enabled=t");
    shards.pass(RETRY_MS);
    assertEquals("west", queue(waiting));
  }

  @Test
  void aShardThatIsAwayDelaysTheJobAndLosesNothing() {
    route("east,workq");
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    String id = accepted(job("ann", 1));
    shards.pass(5 * RETRY_MS);
    assertEquals(-1, shards.where(id), "offered, and not yet taken");
    shards.silence(east, false);
    shards.run();
    assertEquals(east, shards.where(id));
    assertEquals(0, count("r"));
  }

  /** The first destination refuses the job only after the queue was changed. */
  private String refusedAfter(NewJob wish, String... change) {
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    String id = accepted(wish);
    assertEquals(-1, shards.where(id), "offered");
    shards.send(0, Calls.change(shards.manager(), SET, QUEUE, "r", change));
    shards.run();
    shards.silence(east, false);
    shards.run();
    return id;
  }

  @ParameterizedTest
  @ValueSource(strings = {"workq", "west"})
  void aJobIsNotSentOnWhenItsQueueWasStoppedMeanwhile(String other) {
    route("east," + other);
    set("east", "resources_max.walltime=10");
    String id = refusedAfter(job("ann", 20), "started=f");
    shards.pass(2 * RETRY_MS);
    assertEquals("r", queue(id));
    assertEquals(List.of("east"), shards.job(id).getRoute().getRefused(), "not asked again");
    set("r", "started=t");
    assertEquals(other, queue(id));
  }

  @Test
  void aHeldJobIsNotSentOnWhenItsQueueKeepsSuchOnesNow() {
    route("east,workq", "route_held_jobs=t", "route_lifetime=100");
    set("east", "resources_max.walltime=10");
    String id = refusedAfter(Calls.held(job("ann", 20), "u"), "route_held_jobs=f");
    shards.pass(50_000);
    assertEquals("r", queue(id));
    shards.pass(100_000);
    assertEquals(JobStatus.FINISHED, shards.status(id), "its time there is not forgotten");
  }

  @Test
  void whatASubmissionHasTriedIsNotTriedAgainAtOnce() {
    route("workq,near", "route_lifetime=100");
    set("workq", "max_queuable=0");
    set("near", "enabled=f");
    List<String> continued = new ArrayList<>();
    shards.observe(
        (shard, command, outcome, facts) -> {
          if (command instanceof Continue go && go.getWork().equals(RoutingWork.JOB)) {
            continued.add(go.getCursor());
          }
        });
    NewJob[] jobs = new NewJob[50];
    java.util.Arrays.setAll(jobs, n -> Calls.held(job("ann", 1), n % 2 == 0 ? "n" : "u"));
    assertEquals(0, submit(jobs).getCode());
    accepted(job("ann", 1));
    assertEquals(List.of(), continued);
    assertEquals(1, shards.facts(RoutingAdvanced.class).size(), "the retry time is set once");
    set("workq", "max_queuable=20");
    shards.pass(RETRY_MS);
    assertEquals(20, count("workq"));
    shards.pass(100_000);
    assertEquals(0, counted("r", JobStatus.QUEUED) + counted("r", JobStatus.HELD));
  }

  private long counted(String queue, JobStatus status) {
    return shards
        .tables(shards.shardOfQueue(queue))
        .queues()
        .get(queue)
        .getCounts()
        .getOrDefault(status.name(), 0L);
  }
}
