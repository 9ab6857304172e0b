package io.millrace.server.core.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CarriedRecord;
import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.SnapshotBegun;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.Shard;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.Tables;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Snapshots of a shard that goes on meanwhile, and of one that loses its owner. */
class SnapshotTest {
  private final TestShards shards = TestShards.threePartitions();

  private void remind() {
    shards.send(0, work(""));
  }

  private Continue work(String cursor) {
    return new Continue(
        shards.calls.silent("shard-0", Role.SHARD, shards.nowMs), Snapshots.WORK, cursor);
  }

  private void interval(int facts) {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", Snapshots.INTERVAL + "=" + facts);
  }

  private void jobs(int count) {
    for (int i = 0; i < count; i += 50) {
      NewJob[] wishes =
          IntStream.range(0, 50).mapToObj(n -> Calls.job("ann", "workq", 1)).toArray(NewJob[]::new);
      shards.submit(wishes);
    }
  }

  private List<Job> jobsIn(List<SnapshotChunk> chunks) {
    RecordCodec codec = shards.tables(0).codec();
    return chunks.stream()
        .flatMap(chunk -> chunk.getRecords().stream())
        .flatMap(record -> CarriedRecord.read(codec, record.getRecord(), Job.class).stream())
        .toList();
  }

  @Test
  void thereIsNoneUnlessTheAdministratorWantsThem() {
    jobs(500);
    remind();
    shards.run();
    assertEquals(0, shards.facts(SnapshotBegun.class).size());
    interval(1000);
    remind();
    shards.run();
    assertEquals(0, shards.facts(SnapshotBegun.class).size(), "not yet due");
    interval(100);
    remind();
    remind();
    shards.run();
    assertEquals(1, shards.facts(SnapshotBegun.class).size());
    assertEquals(1, shards.facts(SnapshotCompleted.class).size());
  }

  @Test
  void itShowsTheMomentOfItsBeginningWhateverHappensMeanwhile() {
    jobs(500);
    interval(100);
    remind();
    shards.step(0);
    shards.step(0);
    assertTrue(shards.facts(SnapshotChunk.class).size() < 2, "the rest is to come");
    String late = shards.submit(Calls.job("bob", "workq", 1));
    shards.run();
    List<SnapshotChunk> chunks = shards.facts(0, SnapshotChunk.class);
    assertTrue(chunks.size() > 2, "bounded chunks");
    assertTrue(chunks.stream().allMatch(c -> c.getRecords().size() <= Snapshots.RECORDS_AT_ONCE));
    List<Job> jobs = jobsIn(chunks);
    assertEquals(500, jobs.size());
    assertTrue(jobs.stream().noneMatch(job -> job.getId().equals(late)));
    long records = chunks.stream().mapToLong(chunk -> chunk.getRecords().size()).sum();
    assertEquals(records, shards.facts(0, SnapshotCompleted.class).get(0).getRecords());
  }

  @Test
  void aNewOwnerLeavesASnapshotThatItDoesNotHaveAndBeginsAnotherInItsTime() {
    jobs(500);
    interval(100);
    Tables tables = shards.tables(0);
    Shard first = new Shard(tables);
    first.handle(CommandFamily.SHARD, work(""), shards.nowMs);
    long begun = ShardNumbers.of(tables).getSnapshotSeq();
    first.handle(CommandFamily.SHARD, work(Long.toString(begun)), shards.nowMs);
    first.close();
    Shard second = new Shard(tables);
    assertEquals(
        List.of(),
        second.handle(CommandFamily.SHARD, work(Long.toString(begun)), shards.nowMs).facts());
    assertEquals(
        List.of(),
        second.handle(CommandFamily.SHARD, work(""), shards.nowMs).facts(),
        "not yet due");
    jobs(150);
    List<SpecificRecord> facts = second.handle(CommandFamily.SHARD, work(""), shards.nowMs).facts();
    assertEquals(1, facts.size());
    assertTrue(facts.get(0) instanceof SnapshotBegun);
  }
}
