package io.millrace.server.core.run.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Going to the queue of the run and starting there is one decision. */
class QueueEntryTest {
  private final TestShards shards = TestShards.threePartitions();
  private String job;

  @BeforeEach
  void queues() {
    shards.must(
        ChangeOperation.CREATE,
        ObjectKind.QUEUE,
        "batch",
        "queue_type=execution",
        "started=True",
        "enabled=True",
        "from_route_only=True",
        "resources_default.walltime=600");
    NewJob wish = Calls.job("ann", "workq", 1);
    wish.getSpec().setAsked(List.of(new Attribute("ncpus", "1")));
    job = shards.submit(wish);
  }

  private int propose(String queue) {
    RunJob run =
        Calls.run(
            shards.engine("default"),
            "default",
            shards.epoch("default"),
            job,
            Calls.share("n0", 1, 1));
    run.setQueue(queue);
    return shards.code(0, run);
  }

  @Test
  void theJobGoesThereAndRunsThere() {
    int before = shards.ledger(0).size();
    assertEquals(0, propose("batch"));
    assertEquals(JobStatus.RUNNING, shards.status(job));
    assertEquals("batch", shards.job(job).getSpec().getQueue());
    assertEquals(600, shards.job(job).getSpec().getRequest().getWalltimeS(), "its defaults");
    List<? extends Class<?>> facts =
        shards.ledger(0).subList(before, shards.ledger(0).size()).stream()
            .map(SpecificRecord::getClass)
            .toList();
    assertTrue(facts.indexOf(JobMoved.class) >= 0 && facts.contains(RunGranted.class), "" + facts);
    assertTrue(facts.indexOf(JobMoved.class) < facts.indexOf(RunGranted.class), "" + facts);
    assertEquals("batch", shards.lastStart().getSpec().getQueue());
    assertEquals(1L, shards.tables(0).queues().get("batch").getAssigned().get("ncpus"));
  }

  @Test
  void whatIsRefusedStaysWhereItIs() {
    assertEquals(PbsError.UNKNOWN_QUEUE.code(), propose("nowhere"));
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "batch", "started=False");
    assertEquals(PbsError.STALE_PROPOSAL.code(), propose("batch"));
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "batch", "started=True");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    assertEquals(PbsError.NO_ROOM.code(), propose("batch"));
    assertEquals("workq", shards.job(job).getSpec().getQueue());
    assertEquals(0, shards.facts(0, JobMoved.class).size());
  }

  @Test
  void aQueueOfAnotherSchedulerIsNotEntered() {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "batch", "partition=peast");
    assertEquals(PbsError.STALE_PROPOSAL.code(), propose("batch"));
  }

  @Test
  void theOwnQueueIsNoMove() {
    assertEquals(0, propose("workq"));
    assertEquals(0, shards.facts(0, JobMoved.class).size());
  }
}
