package io.millrace.server.streams.measure;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.NodeWentDown;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardMeasuresTest {

  private static final long NOW = 1_700_000_000_000L;
  private static final FactMeta META = new FactMeta();

  private final Tables tables = Tables.inMemory(3, 8);
  private final Measures measures = new Measures();
  private final ShardMeasures shard = new ShardMeasures(3, measures);

  private Job job(long number, JobStatus status, long eligibleMs) {
    Job job = new Job();
    job.setId(number + ".s");
    job.setNumber(number);
    job.setStatus(status);
    job.setEligibleMs(eligibleMs);
    job.setQueuedMs(NOW - 60_000);
    tables.jobs().put(Keys.number(number), job);
    return job;
  }

  private void queue(String name, Map<String, Long> counts) {
    Queue queue = new Queue();
    queue.setName(name);
    queue.setCounts(new HashMap<>(counts));
    tables.queues().put(name, queue);
  }

  private void node(String name, boolean up) {
    Node node = new Node();
    node.setName(name);
    node.setUp(up);
    tables.nodes().put(name, node);
  }

  private String told() {
    return new String(measures.text(PartKind.SERVER), StandardCharsets.UTF_8);
  }

  private void has(String line) {
    assertTrue(told().contains("\n" + line + "\n"), () -> line + " is not in " + told());
  }

  @Test
  void whatHappensIsCounted() {
    Job job = job(1, JobStatus.RUNNING, NOW - 2_000);
    Job array = job(2, JobStatus.QUEUED, -1);
    array.setId("2[].s");
    Job subjob = job(3, JobStatus.QUEUED, -1);
    subjob.setId("3[7].s");
    shard.hear(
        tables,
        List.of(
            new JobQueued(META, job, List.of()),
            new JobQueued(META, array, List.of()),
            new RunStarted(META, "1.s", 1, 77L, NOW),
            new RunRequeued(META, "1.s", 1, 0, "", null, -1L),
            new NodeWentDown(META, "n", "")));
    has("millrace_submissions_total 2.0");
    has("millrace_starts_total 1.0");
    has("millrace_requeues_total 1.0");
    has("millrace_ends_total 0.0");
    has("millrace_executors_lost_total 1.0");
    has("millrace_start_latency_seconds_sum 2.0");
    shard.hear(tables, List.of(new RunStarted(META, "1.s", 1, 77L, NOW - 9_000)));
    has("millrace_start_latency_seconds_sum 2.0");
  }

  @Test
  void queuesAndNodesAreToldOnceASecondAndGoWithTheShard() {
    queue("workq", Map.of("QUEUED", 5L, "RUNNING", 2L));
    node("a", true);
    node("b", false);
    node("c", true);
    shard.look(tables, NOW);
    has("millrace_jobs{queue=\"workq\",shard=\"3\",state=\"queued\"} 5.0");
    has("millrace_jobs{queue=\"workq\",shard=\"3\",state=\"running\"} 2.0");
    has("millrace_nodes{shard=\"3\",state=\"up\"} 2.0");
    has("millrace_nodes{shard=\"3\",state=\"down\"} 1.0");
    has("millrace_shard_owned{shard=\"3\"} 1.0");
    queue("workq", Map.of("QUEUED", 4L));
    shard.look(tables, NOW + 500);
    has("millrace_jobs{queue=\"workq\",shard=\"3\",state=\"queued\"} 5.0");
    shard.look(tables, NOW + 1_000);
    has("millrace_jobs{queue=\"workq\",shard=\"3\",state=\"queued\"} 4.0");
    assertFalse(told().contains("state=\"running\""), "a state that is not told any more");
    tables.queues().remove("workq");
    shard.look(tables, NOW + 2_000);
    assertFalse(told().contains("workq"), "a queue that is gone");
    shard.close();
    assertFalse(told().contains("shard=\"3\""), told());
  }

  @Test
  void queuesOfReservationsAreToldWhileTheyHaveJobs() {
    queue("R7", Map.of("QUEUED", 0L, "RUNNING", 2L));
    queue("workq", Map.of("QUEUED", 0L));
    queue("R8", Map.of("QUEUED", 0L));
    shard.look(tables, NOW);
    has("millrace_jobs{queue=\"R7\",shard=\"3\",state=\"running\"} 2.0");
    has("millrace_jobs{queue=\"workq\",shard=\"3\",state=\"queued\"} 0.0");
    assertFalse(told().contains("R8"), "one without jobs");
    assertFalse(told().contains("queue=\"R7\",shard=\"3\",state=\"queued\""));
    queue("R7", Map.of("QUEUED", 0L, "RUNNING", 0L));
    shard.look(tables, NOW + 1_000);
    assertFalse(told().contains("R7"), "its jobs are gone");
  }

  @Test
  void theOldestIsWhoCouldRunForLongestAndStillWaits() {
    shard.known(job(1, JobStatus.QUEUED, NOW - 50_000));
    shard.known(job(2, JobStatus.RUNNING, NOW - 90_000));
    shard.known(job(3, JobStatus.HELD, -1));
    shard.hear(
        tables, List.of(new JobQueued(META, job(4, JobStatus.QUEUED, NOW - 10_000), List.of())));
    shard.look(tables, NOW);
    has("millrace_oldest_runnable_job_seconds{shard=\"3\"} 50.0");
    job(1, JobStatus.RUNNING, NOW - 50_000);
    shard.look(tables, NOW + 1_000);
    has("millrace_oldest_runnable_job_seconds{shard=\"3\"} 11.0");
    job(3, JobStatus.QUEUED, NOW - 500);
    shard.hear(tables, List.of(new JobReleased(META, "3.s", "n", "u")));
    tables.jobs().remove(Keys.number(4));
    shard.look(tables, NOW + 2_000);
    has("millrace_oldest_runnable_job_seconds{shard=\"3\"} 2.5");
    job(3, JobStatus.FINISHED, NOW - 500);
    shard.look(tables, NOW + 3_000);
    has("millrace_oldest_runnable_job_seconds{shard=\"3\"} 0.0");
  }
}
