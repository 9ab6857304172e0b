package io.millrace.server.core.job.order;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ExchangeJobs;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobReordered;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Queue;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.ArrayStates;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two jobs that change places. */
class OrderTest {
  private final TestShards shards = TestShards.threePartitions();

  private int exchange(CommandMeta by, String one, String other) {
    return shards.code(0, new ExchangeJobs(by, one, other));
  }

  private String job(String owner, String queue) {
    return shards.submit(Calls.job(owner, queue, 1));
  }

  @Test
  void eachHasTheRankOfTheOther() {
    String one = job("ann", "workq");
    String between = job("bob", "workq");
    String other = job("ann", "workq");
    long first = shards.job(one).getRank();
    long middle = shards.job(between).getRank();
    long last = shards.job(other).getRank();
    assertEquals(0, exchange(shards.user("ann"), one, other));
    assertEquals(
        List.of(last, middle, first),
        List.of(
            shards.job(one).getRank(), shards.job(between).getRank(), shards.job(other).getRank()));
    assertEquals(2, shards.facts(JobReordered.class).size());
    assertEquals(0, exchange(shards.user("ann"), one, one));
    assertEquals(2, shards.facts(JobReordered.class).size());
  }

  @Test
  void whoMayNotActOnBothMayNotExchangeThem() {
    String one = job("ann", "workq");
    String other = job("bob", "workq");
    assertEquals(PbsError.UNAUTHORIZED.code(), exchange(shards.user("ann"), one, other));
    assertEquals(0, exchange(shards.operator(), one, other));
  }

  @Test
  void onlyJobsThatWaitHavePlaces() {
    String one = job("ann", "workq");
    String running = shards.running("ann").getJobId();
    assertEquals(PbsError.BAD_STATE.code(), exchange(shards.user("ann"), one, running));
    assertEquals(PbsError.BAD_STATE.code(), exchange(shards.user("ann"), running, one));
    NewJob wish = Calls.job("ann", "workq", 1);
    wish.setArray(ArrayStates.fresh(1, 9, 1, 0));
    String array = shards.submit(wish);
    assertEquals(PbsError.UNSUPPORTED.code(), exchange(shards.user("ann"), one, array));
    String east = job("ann", "east");
    assertEquals(PbsError.UNSUPPORTED.code(), exchange(shards.user("ann"), one, east));
  }

  @Test
  void jobsOfTwoQueuesChangeThemToo() {
    shards.queue("second", "");
    String one = job("ann", "workq");
    String other = job("ann", "second");
    long rank = shards.job(other).getRank();
    assertEquals(0, exchange(shards.user("ann"), one, other));
    assertEquals("second", shards.job(one).getSpec().getQueue());
    assertEquals("workq", shards.job(other).getSpec().getQueue());
    assertEquals(rank, shards.job(one).getRank());
    Queue counts = shards.tables(0).queues().get("second");
    assertEquals(1L, counts.getCounts().get("QUEUED"));
  }

  /** A job that comes into a routing queue by an exchange is tried there, as one that is moved. */
  @Test
  void aJobThatComesIntoARoutingQueueGoesOn() {
    shards.queue("near", "");
    String pairs = "queue_type=r enabled=t started=t route_destinations=near";
    shards.must(ChangeOperation.CREATE, ObjectKind.QUEUE, "r", pairs.split(" "));
    NewJob held = Calls.held(Calls.job("ann", "r", 1), "u");
    String waiting = shards.submit(held);
    assertEquals("r", shards.job(waiting).getSpec().getQueue(), "held jobs are not sent on");
    String one = job("ann", "workq");
    assertEquals(0, exchange(shards.user("ann"), one, waiting));
    assertEquals("workq", shards.job(waiting).getSpec().getQueue());
    assertEquals("near", shards.job(one).getSpec().getQueue());
  }

  /**
   * Limits of the server hold for all schedulers: a job that comes to another one counts already.
   */
  @Test
  void aJobThatComesToAnotherSchedulerIsNotCountedTwice() {
    int east = shards.shardOfScheduler("es");
    String second = "";
    for (int i = 0; second.isEmpty() && i < 2 * TestShards.COUNT; i++) {
      shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "s" + i);
      second = shards.shardOfScheduler("s" + i) == east ? "s" + i : "";
    }
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, second, "partition=psecond");
    shards.queue("far", "psecond");
    String one = job("ann", "east");
    String other = job("ann", "far");
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "server", "max_queued=[u:ann=1]");
    assertEquals(0, shards.code(east, new ExchangeJobs(shards.user("ann"), one, other)));
  }

  @Test
  void aJobDoesNotTakeAPlaceThatIsLeaving() {
    shards.queue("second", "");
    String one = job("ann", "workq");
    String other = "";
    for (int i = 0; i < 60; i++) { // more than leave at once
      other = job("ann", "second");
    }
    shards.send(
        0,
        Calls.change(
            shards.manager(), ChangeOperation.SET, ObjectKind.QUEUE, "second", "partition=peast"));
    for (int i = 0; shards.shardOfQueue("second") == 0 && i < 1000; i++) {
      for (int shard = 0; shard < TestShards.COUNT && shards.shardOfQueue("second") == 0; shard++) {
        shards.step(shard);
      }
    }
    CommandMeta by = shards.user("ann");
    shards.send(0, new ExchangeJobs(by, one, other));
    shards.run();
    assertEquals(PbsError.UNSUPPORTED.code(), shards.answer(by).getCode());
    assertEquals("workq", shards.job(one).getSpec().getQueue());
    assertEquals("second", shards.job(other).getSpec().getQueue());
  }

  @Test
  void jobsOfGridEnginesHaveNoSuchPlaces() {
    NewJob wish = Calls.job("ann", "workq", 1);
    wish.getSpec()
        .setGridEngine(
            GridEngineRequest.newBuilder().setOptions(List.of()).setCategory("").build());
    String theirs = shards.submit(wish);
    String ours = job("ann", "workq");
    assertEquals(PbsError.UNSUPPORTED.code(), exchange(shards.user("ann"), theirs, ours));
    assertEquals(PbsError.UNSUPPORTED.code(), exchange(shards.user("ann"), ours, theirs));
  }
}
