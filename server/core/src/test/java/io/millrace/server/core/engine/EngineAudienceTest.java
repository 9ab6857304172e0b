package io.millrace.server.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who hears of a job of Grid Engine's qsub, which jobs of other schedulers may wait for. */
class EngineAudienceTest {
  private static final String OTHER = "s1";

  private final TestShards shards = TestShards.initialised();
  private Tables tables;
  private EngineAudience audience;
  private Job job;

  @BeforeEach
  void jobOfTheDefaultScheduler() {
    shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, OTHER, "partition=p1");
    shards.queue("q1", "p1");
    String id = shards.submit(Calls.job("ann", "workq", 1));
    tables = shards.tables(shards.where(id));
    job = Copies.of(shards.job(id));
    audience = new EngineAudience(tables);
    audience.among(2);
  }

  private void asOfGridEngine() {
    job.setSpec(Copies.of(job.getSpec()));
    GridEngineRequest request =
        GridEngineRequest.newBuilder().setOptions(List.of()).setCategory("").build();
    job.getSpec().setGridEngine(request);
    tables.jobs().put(Keys.number(job.getNumber()), job);
  }

  private List<SpecificRecord> told(SpecificRecord fact) {
    return audience.divide(List.of(fact), List.of(OTHER)).get(OTHER);
  }

  @Test
  void anotherSchedulerHearsOfItAsItHeardOfOneOfItsOwn() {
    assertFalse(audience.concerns(OTHER, job));
    assertEquals(List.of(), told(new JobQueued(new FactMeta(), job, List.of())));
    asOfGridEngine();
    assertTrue(audience.concerns(OTHER, job));
    SpecificRecord queued = new JobQueued(new FactMeta(), job, List.of());
    assertEquals(List.of(queued), told(queued));
  }

  /** Its queue came after the schedulers were told apart, and was its scheduler's from then on. */
  @Test
  void aReservationWithJobsHasNobodyStartAnew() {
    TestShards reserving = TestShards.threePartitions();
    EngineAudience hears = new EngineAudience(reserving.tables(0));
    hears.among(2);
    long startMs = reserving.nowMs + 3_600_000;
    Chunk chunk = new Chunk(1, Map.of("ncpus", 1L), Map.of());
    ReservationSpec spec =
        ReservationCalls.spec(
            "ann", PartitionTable.DEFAULT_PARTITION, startMs, startMs + 3_600_000, "", chunk);
    reserving.ask(0, ReservationCalls.submit(reserving.user("ann"), spec, 0));
    Reservation made = ReservationCalls.all(reserving.tables(0)).get(0);
    Reply confirmed =
        reserving.ask(
            0,
            ReservationCalls.confirm(
                reserving.engine("default"),
                reserving.epoch("default"),
                "default",
                made,
                List.of(Calls.share("n0", 1, 1))));
    assertEquals(0, confirmed.getCode());
    reserving.submit(Calls.job("ann", made.getQueue(), 1));
    ClusterObject queue = PartitionTable.queue(reserving.tables(0), "workq");
    ObjectWritten written =
        ObjectWritten.newBuilder().setMeta(new FactMeta()).setObject(queue).build();
    assertEquals(Set.of(), hears.gained(List.of(written)));
  }

  /** One that comes anew would be taken for gone by those that wait for it. */
  @Test
  void itNeverComesAnew() {
    asOfGridEngine();
    SpecificRecord granted = new RunGranted(new FactMeta(), job.getId(), 1, "default", 1L, null);
    assertEquals(List.of(granted), told(granted));
    SpecificRecord moved = new JobMoved(new FactMeta(), job.getId(), "workq", "q1", 1L, null);
    assertEquals(List.of(moved), told(moved));
  }
}
