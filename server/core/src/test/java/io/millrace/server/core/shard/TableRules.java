package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.admission.QueuedJobs;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.Tables;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What holds between the tables of all shards at every step. */
final class TableRules {
  private TableRules() {}

  static void hold(TestShards live) {
    countersEqualARecount(live);
    nothingIsInTwoPlaces(live);
    arraysAddUp(live);
  }

  private static void countersEqualARecount(TestShards live) {
    for (int i = 0; i < TestShards.COUNT; i++) {
      Tables tables = live.tables(i);
      Map<String, Long> counted = new TreeMap<>();
      Map<String, Long> users = new TreeMap<>();
      Map<String, Map<String, Long>> queued = new TreeMap<>();
      for (Object record : WatchedTable.of(tables, "jobs").records().values()) {
        Job job = (Job) record;
        count(job, counted);
        countQueued(job, queued);
        if (job.getSpec().getScriptHash().hasRemaining()) {
          users.merge("users/" + Keys.script(job.getSpec().getScriptHash()), 1L, Long::sum);
        }
      }
      assertEquals(counted, told(tables), "counters of shard " + i);
      assertEquals(
          assigned(tables), ShardNumbers.of(tables).getAssigned(), "amounts of shard " + i);
      Map<String, Long> routed = new TreeMap<>();
      tables.routed().scan("", null, (key, place) -> routed.put(key, place.getNumber()) == null);
      assertEquals(inRoutingQueues(tables), routed, "routing queues of shard " + i);
      assertEquals(queued, toldOfQueued(tables), "users, groups and projects of shard " + i);
      scriptsAreCounted(tables, users, i);
    }
  }

  /** Jobs of each queue by their state, and what its runs hold. */
  private static void count(Job job, Map<String, Long> counted) {
    if (job.getStatus() != JobStatus.FINISHED) {
      counted.merge(job.getSpec().getQueue() + " " + JobRecords.counted(job), 1L, Long::sum);
    }
    if ((job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING)
        && job.getSuspension() == Suspension.NONE) {
      for (NodeShare share : job.getAllocation().getShares()) {
        String prefix = job.getSpec().getQueue() + " ";
        counted.merge(prefix + "nodect", 1L, Long::sum);
        share.getAmounts().forEach((r, n) -> counted.merge(prefix + r, n, Long::sum));
      }
    }
  }

  /** What the queues of a shard have together; the number of chunks is no resource. */
  private static Map<String, Long> assigned(Tables tables) {
    Map<String, Long> sums = new HashMap<>();
    for (Object record : WatchedTable.of(tables, "queues").records().values()) {
      ((Queue) record).getAssigned().forEach((name, amount) -> sums.merge(name, amount, Long::sum));
    }
    sums.values().removeIf(sum -> sum == 0);
    sums.remove("nodect");
    return sums;
  }

  /** What a user, a group and a project have in a queue. */
  private static void countQueued(Job job, Map<String, Map<String, Long>> queued) {
    long weight = job.getStatus() == JobStatus.FINISHED ? 0 : QueuedJobs.weight(job);
    if (weight == 0) {
      return;
    }
    for (String whom : QueuedJobs.whom(job.getSpec())) {
      Map<String, Long> sums =
          queued.computeIfAbsent(
              QueuedJobs.key(job.getSpec().getQueue(), whom), key -> new TreeMap<>());
      sums.merge("jobs", weight, Long::sum);
      QueuedJobs.amounts(job.getSpec().getRequest())
          .forEach((name, amount) -> sums.merge(name, weight * amount, Long::sum));
    }
  }

  private static Map<String, Map<String, Long>> toldOfQueued(Tables tables) {
    Map<String, Map<String, Long>> entities = new TreeMap<>();
    tables
        .queued()
        .scan(
            "",
            null,
            (key, sum) -> {
              Map<String, Long> sums = new TreeMap<>(sum.getAmounts());
              sums.put("jobs", sum.getJobs());
              return entities.put(key, sums) == null;
            });
    return entities;
  }

  private static void scriptsAreCounted(Tables tables, Map<String, Long> users, int shard) {
    Map<String, Long> kept = new TreeMap<>();
    Set<String> texts = new TreeSet<>();
    tables
        .scripts()
        .scan(
            "",
            null,
            (key, script) -> {
              if (key.startsWith("users/")) {
                kept.put(key, script.getUsers());
              } else {
                texts.add("users/" + key);
              }
              return true;
            });
    assertEquals(users, kept, "users of scripts in shard " + shard);
    assertEquals(users.keySet(), texts, "texts of scripts in shard " + shard);
  }

  private static Map<String, Long> inRoutingQueues(Tables tables) {
    Map<String, Long> found = new TreeMap<>();
    for (Object record : WatchedTable.of(tables, "jobs").records().values()) {
      Job job = (Job) record;
      String queue = job.getSpec().getQueue();
      boolean unfinished = job.getStatus() != JobStatus.FINISHED;
      assertEquals(unfinished && queue.equals("r0"), unfinished && job.getRoute() != null);
      if (unfinished && job.getRoute() != null) {
        found.put(Keys.routed(queue, job.getRank()), job.getNumber());
      }
    }
    return found;
  }

  private static Map<String, Long> told(Tables tables) {
    Map<String, Long> told = new TreeMap<>();
    for (Object record : WatchedTable.of(tables, "queues").records().values()) {
      Queue queue = (Queue) record;
      Map<String, Long> all = new HashMap<>(queue.getCounts());
      all.putAll(queue.getAssigned());
      all.forEach(
          (name, count) -> {
            if (count != 0) {
              told.put(queue.getName() + " " + name, count);
            }
          });
    }
    return told;
  }

  /** A job or node that is not being handed over is in one shard; its runs hold what they say. */
  private static void nothingIsInTwoPlaces(TestShards live) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      int shard = i;
      for (Object record : WatchedTable.of(live.tables(i), "jobs").records().values()) {
        Job job = (Job) record;
        if (job.getStatus() != JobStatus.TRANSIT) {
          Integer other = places.put(job.getId(), shard);
          assertEquals(null, other, () -> job + " is also in shard " + shard);
        }
      }
      for (Object record : WatchedTable.of(live.tables(i), "nodes").records().values()) {
        Node node = (Node) record;
        if (node.getOfferedTo() < 0 || node.getOfferedTo() == shard) {
          Integer other = places.put(node.getName(), shard);
          assertEquals(null, other, () -> node + " of shard " + shard + " is elsewhere too");
        } else {
          assertEquals(List.of(), node.getHoldings(), "a node is offered idle");
          assertEquals(List.of(), node.getSuspended(), "a node is offered without runs");
        }
        node.getHoldings()
            .forEach(it -> assertTrue(stands(live, shard, it, false), () -> "" + node));
        node.getSuspended()
            .forEach(it -> assertTrue(stands(live, shard, it, true), () -> "" + node));
      }
    }
  }

  private static boolean stands(TestShards live, int shard, Holding holding, boolean still) {
    Job job = live.tables(shard).jobs().get(Keys.number(holding.getNumber()));
    return job.getRun() == holding.getRun() && still == (job.getSuspension() != Suspension.NONE);
  }

  /** Each index is in one place, and each subjob that has not ended has an array that knows it. */
  private static void arraysAddUp(TestShards live) {
    for (int i = 0; i < TestShards.COUNT; i++) {
      Map<String, JobStatus> known = new TreeMap<>();
      Map<String, JobStatus> found = new TreeMap<>();
      for (Object record : WatchedTable.of(live.tables(i), "jobs").records().values()) {
        Job job = (Job) record;
        ArrayState array = job.getArray();
        if (array != null) {
          int open = array.getWaiting().size() + array.getBegun().size();
          assertEquals(
              ArrayStates.size(array),
              ArrayStates.left(array) + open + array.getExpired(),
              () -> "" + job);
          array.getWaiting().forEach(index -> known.put(subjob(job, index), JobStatus.QUEUED));
          array.getBegun().forEach(index -> known.put(subjob(job, index), JobStatus.RUNNING));
        } else if (JobNumbers.isSubjob(job.getNumber()) && job.getStatus() != JobStatus.FINISHED) {
          boolean begun = job.getStatus() != JobStatus.QUEUED;
          found.put(job.getId(), begun ? JobStatus.RUNNING : JobStatus.QUEUED);
        }
      }
      assertEquals(known, found, "subjobs of shard " + i);
    }
  }

  private static String subjob(Job array, int index) {
    return array.getId().replace("[]", "[" + index + "]");
  }
}
