package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.SeedSource;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.Tables;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;

/** What holds in every history, at every step and when it has come to rest. */
class ShardHistoryPropertyTest {
  /** Histories that are known to start many runs. */
  private static final long BUSY_SEED = 15;

  private static final long OTHER_BUSY_SEED = 17;

  private static final int COMMANDS = 5000;

  /** A text may be sent after all; who asks too late is not remembered. */
  private static final Set<Integer> MAY_CHANGE =
      Set.of(
          PbsError.UNKNOWN_SCRIPT.code(),
          PbsError.COMMAND_TOO_OLD.code(),
          PbsError.TRY_AGAIN.code());

  @ParameterizedTest
  @SeedSource({BUSY_SEED, OTHER_BUSY_SEED})
  void inEveryHistory(long seed) {
    StepWatcher watcher = new StepWatcher();
    History history = new History(seed, watcher);
    watcher.live = history.shards;
    history.play(COMMANDS);
    history.settle();
    TestShards shards = history.shards;
    TableRules.hold(shards);
    arraysGoOn(shards);
    jobsAreConserved(shards, watcher);
    everythingIsAtHome(shards);
    whatIsWaitedForIsThere(shards);
    everyCommandHasOneAnswer(history);
    // A history by chance may stop its queues early: of a hundred one had 5 runs.
    int least = seed == BUSY_SEED || seed == OTHER_BUSY_SEED ? 50 : 1;
    assertTrue(watcher.started.size() > least, () -> "only " + watcher.started.size() + " runs");
  }

  /** At rest as many subjobs wait with a record as may begin. */
  private static void arraysGoOn(TestShards live) {
    for (int i = 0; i < TestShards.COUNT; i++) {
      for (Object record : WatchedTable.of(live.tables(i), "jobs").records().values()) {
        Job job = (Job) record;
        ArrayState array = job.getArray();
        boolean goes =
            array != null
                && job.getStatus() == JobStatus.QUEUED
                && job.getRoute() == null
                && job.getEndedBy().isEmpty();
        if (goes && ArrayStates.left(array) > 0) {
          int open = array.getWaiting().size() + array.getBegun().size();
          boolean full =
              array.getWaiting().size() >= SubjobWindow.WAITING_MAX
                  || (array.getMost() > 0 && open >= array.getMost());
          assertTrue(full, () -> "stands still: " + job);
        }
      }
    }
  }

  private static void jobsAreConserved(TestShards shards, StepWatcher watcher) {
    Set<String> alive = new TreeSet<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      for (Object record : WatchedTable.of(shards.tables(i), "jobs").records().values()) {
        Job job = (Job) record;
        assertNotEquals(JobStatus.TRANSIT, job.getStatus(), () -> "still in transit: " + job);
        assertTrue(alive.add(job.getId()), () -> "twice: " + job);
      }
    }
    Set<String> expected = new TreeSet<>(watcher.accepted);
    expected.removeAll(watcher.purged);
    assertEquals(expected, alive, "accepted and not purged");
  }

  /**
   * Nobody waits for a job that is over; each one that is waited for knows it, and counts right.
   */
  private static void whatIsWaitedForIsThere(TestShards shards) {
    Map<Long, Job> jobs = new HashMap<>();
    Map<Long, Integer> rows = new HashMap<>();
    Set<String> known = new HashSet<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      for (Object record : WatchedTable.of(shards.tables(i), "jobs").records().values()) {
        jobs.put(((Job) record).getNumber(), (Job) record);
      }
      for (Object record : WatchedTable.of(shards.tables(i), "dependents").records().values()) {
        Dependent row = (Dependent) record;
        known.add(row.getNumber() + " " + row.getKind() + " " + row.getChild());
        rows.merge(row.getNumber(), 1, Integer::sum);
        String key = Keys.number(row.getNumber());
        assertNotNull(shards.tables(i).jobs().get(key), () -> "its job is not here: " + row);
      }
    }
    for (Job job : jobs.values()) {
      int counted = rows.getOrDefault(job.getNumber(), 0);
      assertEquals(job.getDependents(), counted, () -> "dependents of " + job);
      if (job.getStatus() != JobStatus.FINISHED) {
        for (Dependency wish : job.getDepend()) {
          for (WaitedJob on : wish.getJobs()) {
            Job other = jobs.get(on.getNumber());
            boolean open = other != null && other.getStatus() != JobStatus.FINISHED;
            assertTrue(open, () -> job + " waits for " + other);
            String row = on.getNumber() + " " + wish.getKind() + " " + job.getNumber();
            assertTrue(known.contains(row), () -> row + " is not known");
          }
        }
      }
    }
  }

  /** At rest each waiting job is where its queue is, each node where its partition is. */
  private static void everythingIsAtHome(TestShards shards) {
    Set<String> nodes = new TreeSet<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      Tables tables = shards.tables(i);
      assertEquals(
          WatchedTable.of(shards.tables(0), "objects").records(),
          WatchedTable.of(tables, "objects").records(),
          "objects of shard " + i);
      for (Object record : WatchedTable.of(tables, "jobs").records().values()) {
        Job job = (Job) record;
        if (job.getStatus() != JobStatus.FINISHED) {
          ClusterObject queue = PartitionTable.queue(tables, job.getSpec().getQueue());
          assertNotNull(queue, () -> "queue deleted under " + job);
          assertEquals(i, PartitionTable.shardOf(tables, queue), () -> "left behind: " + job);
        }
      }
      for (Object record : WatchedTable.of(tables, "nodes").records().values()) {
        Node node = (Node) record;
        ClusterObject object = PartitionTable.node(tables, node.getName());
        assertNotNull(object, () -> "object deleted under " + node);
        assertEquals(i, PartitionTable.shardOf(tables, object), () -> "left behind: " + node);
        assertEquals(-1, node.getOfferedTo(), () -> "still offered: " + node);
        assertEquals(List.of(), node.getHoldings(), () -> "held for nobody: " + node);
        assertEquals(List.of(), node.getSuspended(), () -> "remembered for nobody: " + node);
        nodes.add(node.getName());
      }
      for (Object record : WatchedTable.of(tables, "queues").records().values()) {
        assertEquals(false, ((Queue) record).getClosing(), () -> "still closing: " + record);
      }
      assertEquals(Map.of(), WatchedTable.of(tables, "changes").records(), "open changes");
      assertEquals(Map.of(), WatchedTable.of(tables, "parked").records(), "parked commands");
      assertEquals(0, ShardNumbers.of(tables).getExclusiveHosts(), "runs that have a host");
      assertEquals(Map.of(), WatchedTable.of(tables, "arrivals").records(), "arriving queues");
    }
    Set<String> objects = new TreeSet<>();
    String prefix = ObjectKind.NODE + "/";
    shards
        .tables(0)
        .objects()
        .scan(prefix, prefix + Character.MAX_VALUE, (key, node) -> objects.add(node.getName()));
    assertEquals(objects, nodes, "nodes");
  }

  /**
   * One answer to each command, the same one to each repetition of a directive, the same jobs for
   * each repetition of a submission wherever it is sent. A repeated command about a job may be told
   * what has become of the job since.
   */
  private static void everyCommandHasOneAnswer(History history) {
    for (CommandMeta forged : history.forged) {
      assertEquals(List.of(), history.shards.replies(forged), "who forges is told nothing");
    }
    for (Map.Entry<String, SpecificRecord> asked : history.asked.entrySet()) {
      CommandMeta meta = Envelope.ofCommand(asked.getValue());
      List<Reply> finals =
          history.shards.replies(meta).stream().filter(reply -> !reply.getInterim()).toList();
      if (!history.repeated.contains(asked.getKey())) {
        assertEquals(1, finals.size(), () -> asked.getValue() + " was told " + finals);
        continue;
      }
      Set<Reply> different = new HashSet<>(finals);
      different.removeIf(reply -> MAY_CHANGE.contains(reply.getCode()));
      if (asked.getValue() instanceof SubmitJobs) {
        // A shard that did not know the queue refuses; another one may have taken the jobs.
        different.removeIf(reply -> reply.getCode() != 0);
      }
      boolean once =
          asked.getValue() instanceof SubmitJobs || asked.getValue() instanceof ChangeObject;
      assertTrue(
          !finals.isEmpty() && (!once || different.size() <= 1),
          () -> asked.getValue() + " was told " + finals);
    }
  }
}
