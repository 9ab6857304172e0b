package io.millrace.server.streams.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.server.core.engine.EngineAudience;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ReadBookings;
import io.millrace.server.core.state.ReadTable;
import io.millrace.server.core.state.Tables;
import io.millrace.server.core.state.View;
import io.millrace.server.streams.measure.ShardMeasures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which jobs engines are given as they begin, and how often all jobs are read for that. */
class EngineSnapshotsTest {
  private static final List<String> SCHEDULERS = List.of("a", "b", "c");

  private final Tables tables = Tables.inMemory(0, 1);
  private final CountedReads view = new CountedReads();
  private final EngineAudience audience = new EngineAudience(view);
  private final EngineSnapshots snapshots =
      new EngineSnapshots(view, new ShardMeasures(0), audience);

  private int reads;

  /** Counts how often all jobs are read. */
  private final class CountedReads implements View {

    @Override
    public int shard() {
      return tables.shard();
    }

    @Override
    public int shards() {
      return tables.shards();
    }

    @Override
    public RecordCodec codec() {
      return tables.codec();
    }

    @Override
    public ReadBookings bookings() {
      return tables.bookings();
    }

    @Override
    public <V extends SpecificRecord> ReadTable<V> table(Class<V> type) {
      reads += type == Job.class ? 1 : 0;
      return tables.table(type);
    }
  }

  @BeforeEach
  void eachSchedulerHasAQueue() {
    for (String name : SCHEDULERS) {
      written(ObjectKind.PARTITION, "p" + name, "scheduler", name);
      written(ObjectKind.QUEUE, "q" + name, "partition", "p" + name);
      jobs(name, 3);
    }
    audience.among(SCHEDULERS.size());
    job(1, "qa", JobStatus.QUEUED);
    job(2, "qb", JobStatus.QUEUED);
    job(3, "qa", JobStatus.RUNNING);
    job(4, "qa", JobStatus.FINISHED);
    reads = 0;
  }

  private void jobs(String scheduler, long count) {
    tables
        .table(Queue.class)
        .put(
            "q" + scheduler,
            new Queue("q" + scheduler, Map.of("Q", count), Map.of(), false, -1L, -1L));
  }

  private void written(ObjectKind kind, String name, String attribute, String value) {
    List<Attribute> attributes = List.of(new Attribute(attribute, value));
    tables
        .table(ClusterObject.class)
        .put(Keys.object(kind, name), new ClusterObject(kind, name, 1L, attributes, 1L));
  }

  private void job(long number, String queue, JobStatus status) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("j")
            .setOwner("someone")
            .setSubmitHost("h")
            .setQueue(queue)
            .setRequest(
                new ResourceRequest(
                    List.of(new Chunk(1, Map.of("ncpus", 1L), Map.of())), "", -1L, Map.of()))
            .setResourceList(List.of())
            .setOutputPath("o")
            .setErrorPath("e")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    Job job =
        Job.newBuilder()
            .setId(number + ".s")
            .setNumber(number)
            .setRank(number)
            .setSpec(spec)
            .setStatus(status)
            .setCreatedMs(0)
            .setQueuedMs(0)
            .setModifiedMs(0)
            .setEvents(List.of())
            .build();
    tables.table(Job.class).put(Keys.number(number), job);
  }

  private List<Long> given(String scheduler) {
    List<Long> numbers = new ArrayList<>();
    snapshots.of(scheduler).jobs(job -> numbers.add(job.getNumber()));
    return numbers;
  }

  /** All runs are known to all engines, ended jobs to none. */
  @Test
  void enginesThatBeginTogetherReadTheJobsOnce() {
    snapshots.expect(SCHEDULERS);
    assertEquals(List.of(1L, 3L), given("a"));
    assertEquals(List.of(2L, 3L), given("b"));
    assertEquals(List.of(3L), given("c"));
    assertEquals(1, reads);
    assertEquals(List.of(1L, 3L), given("a"), "it begins once more");
    assertEquals(2, reads);
  }

  @Test
  void whatHasChangedMeanwhileIsReadAgain() {
    snapshots.expect(SCHEDULERS);
    given("a");
    job(5, "qb", JobStatus.QUEUED);
    snapshots.changed();
    assertEquals(List.of(2L, 3L, 5L), given("b"));
    job(6, "qc", JobStatus.QUEUED);
    snapshots.changed();
    assertEquals(List.of(3L, 6L), given("c"));
  }

  @Test
  void whereThereAreTooManyToBeKeptEachReadsThem() {
    jobs("c", EngineSnapshots.KEPT_MAX);
    snapshots.expect(SCHEDULERS);
    assertEquals(List.of(1L, 3L), given("a"));
    assertEquals(List.of(2L, 3L), given("b"));
    assertEquals(2, reads);
  }
}
