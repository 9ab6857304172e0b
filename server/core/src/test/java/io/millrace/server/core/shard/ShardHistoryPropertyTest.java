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
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.CommandsReleased;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.SubjobsWithdrawn;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Suspension;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.admission.QueuedJobs;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Message;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;

/** What holds in every history, at every step and when it has come to rest. */
class ShardHistoryPropertyTest {
  /** Histories that are known to start many runs. */
  private static final long BUSY_SEED = 30;

  private static final long OTHER_BUSY_SEED = 21;

  private static final int COMMANDS = 5000;
  private static final int LOOK_EVERY = 200;

  /** A text may be sent after all; who asks too late is not remembered. */
  private static final Set<Integer> MAY_CHANGE =
      Set.of(
          PbsError.UNKNOWN_SCRIPT.code(),
          PbsError.COMMAND_TOO_OLD.code(),
          PbsError.TRY_AGAIN.code());

  /** Looks at each step as it happens. */
  private static final class Watcher implements TestShards.Observer {
    private final Map<String, Integer> runs = new HashMap<>();
    private final Set<Long> numbers = new HashSet<>();
    private final Set<String> accepted = new TreeSet<>();
    private final Set<String> purged = new TreeSet<>();
    private final Set<String> started = new HashSet<>();
    private final Set<String> messages = new HashSet<>();
    private final BookedNodes booked = new BookedNodes();
    private TestShards live;
    private int steps;

    @Override
    public void stepped(
        int shard, SpecificRecord command, CommandOutcome outcome, List<SpecificRecord> facts) {
      assertNotEquals(PbsError.INCIDENT.code(), outcome.code(), () -> "incident by " + command);
      assertTrue(facts.size() <= Context.FACTS_MAX, () -> facts.size() + " facts of one command");
      for (SpecificRecord fact : facts) {
        booked.check(live.tables(shard), fact);
        if (fact instanceof ReservationSubmitted submitted) {
          long number = submitted.getReservation().getNumber();
          assertTrue(numbers.add(number), () -> "number twice: " + fact);
        }
        if (fact instanceof JobQueued queued) {
          assertTrue(numbers.add(queued.getJob().getNumber()), () -> "number twice: " + fact);
          accepted.add(queued.getJob().getId());
        } else if (fact instanceof SubjobsWithdrawn withdrawn) {
          long array = Keys.jobNumber(withdrawn.getJobId());
          for (int index : withdrawn.getIndices()) {
            assertTrue(numbers.remove(JobNumbers.subjob(array, index)), () -> "no record: " + fact);
            accepted.remove(withdrawn.getJobId().replace("[]", "[" + index + "]"));
          }
        } else if (fact instanceof RunGranted granted) {
          grown(granted);
          held(shard, granted, granted.getAllocation().getShares().toArray(NodeShare[]::new));
          placed(live.tables(shard), granted);
        } else if (fact instanceof RunResumed resumed) {
          NodeShare[] shares = shares(live.tables(shard), resumed.getJobId());
          held(shard, resumed, shares);
        } else if (fact instanceof JobPurged gone) {
          assertTrue(purged.add(gone.getJobId()), () -> "purged twice: " + fact);
        }
      }
      for (Message message : outcome.messages()) {
        CommandMeta meta = Envelope.ofCommand(message.command());
        assertTrue(
            meta.getRole() != Role.SHARD
                || message.command() == command
                || meta.getId().equals(Envelope.ofCommand(command).getId())
                || released(facts, meta)
                || messages.add(Keys.command(meta.getId())),
            () -> "id given twice: " + message);
      }
      for (SpecificRecord order : outcome.dispatch()) {
        if (order instanceof StartRun run) {
          String task = run.getTask() == null ? "" : "/" + run.getTask().getNumber();
          assertTrue(
              started.add(run.getJobId() + "/" + run.getRun() + task), () -> "twice: " + run);
        }
      }
      if (++steps % LOOK_EVERY == 0) {
        countersEqualARecount(live);
        nothingIsInTwoPlaces(live);
        arraysAddUp(live);
        for (int i = 0; i < TestShards.COUNT; i++) {
          BookedNodes.derived(live.tables(i));
        }
      }
    }

    /** What was parked goes through the inbox again. */
    private static boolean released(List<SpecificRecord> facts, CommandMeta meta) {
      String id = Keys.command(meta.getId());
      return facts.stream()
          .filter(CommandsReleased.class::isInstance)
          .flatMap(fact -> ((CommandsReleased) fact).getPlaces().stream())
          .anyMatch(place -> place.endsWith(id));
    }

    private void grown(RunGranted granted) {
      Integer before = runs.put(granted.getJobId(), granted.getRun());
      assertTrue(before == null || before < granted.getRun(), () -> "run went back: " + granted);
    }

    /** The run lies as its job asks, and nobody is where somebody wants to be alone. */
    private static void placed(Tables tables, RunGranted granted) {
      Map<String, Integer> chunks = new HashMap<>();
      for (NodeShare share : granted.getAllocation().getShares()) {
        chunks.merge(share.getHost(), share.getChunks(), Integer::sum);
      }
      String place = place(tables, Keys.jobNumber(granted.getJobId()));
      boolean kept =
          switch (place.split(":")[0]) {
            case "pack" -> chunks.size() == 1;
            case "scatter" -> Set.copyOf(chunks.values()).equals(Set.of(1));
            default -> true;
          };
      assertTrue(kept, () -> place + " is not kept by " + granted);
      Map<String, Set<Long>> there = new HashMap<>();
      Set<String> alone = new HashSet<>();
      for (Object record : WatchedTable.of(tables, "nodes").records().values()) {
        Node node = (Node) record;
        String host = "host " + node.getHost();
        NodeSharing says =
            NodeAmounts.sharing(
                io.millrace.server.core.placement.PartitionTable.node(tables, node.getName()));
        for (Holding holding : node.getHoldings()) {
          there.computeIfAbsent(host, it -> new HashSet<>()).add(holding.getNumber());
          there.computeIfAbsent(node.getName(), it -> new HashSet<>()).add(holding.getNumber());
          Job job = tables.jobs().get(Keys.number(holding.getNumber()));
          switch (JobRecords.placement(job).sharing().on(says)) {
            case EXCLHOST -> alone.add(host);
            case EXCL -> alone.add(node.getName());
            default -> {}
          }
        }
      }
      alone.forEach(it -> assertEquals(1, there.get(it).size(), () -> it + " " + granted));
    }

    private static NodeShare[] shares(Tables tables, String jobId) {
      Job job = tables.jobs().get(Keys.number(Keys.jobNumber(jobId)));
      return job.getAllocation().getShares().toArray(NodeShare[]::new);
    }

    private static String place(Tables tables, long number) {
      return tables.jobs().get(Keys.number(number)).getSpec().getRequest().getPlace();
    }

    /** No node holds more than it has after a grant; an administrator may shrink it later. */
    private void held(int shard, SpecificRecord granted, NodeShare[] shares) {
      Tables tables = live.tables(shard);
      List<ClusterObject> custom = new ArrayList<>();
      tables.objects().scan("RESOURCE/", "RESOURCE0", (key, object) -> custom.add(object));
      for (NodeShare share : shares) {
        Node node = tables.nodes().get(share.getNode());
        ClusterObject object = PartitionTable.node(tables, share.getNode());
        Map<String, Long> free = NodeAmounts.free(node, object, ResourceTable.of(custom));
        share
            .getAmounts()
            .forEach(
                (name, amount) ->
                    assertTrue(
                        amount == 0 || free.getOrDefault(name, 0L) >= 0,
                        () -> node + " has " + free + " left after " + granted));
      }
    }
  }

  private static void countersEqualARecount(TestShards live) {
    for (int i = 0; i < TestShards.COUNT; i++) {
      Map<String, Long> counted = new TreeMap<>();
      Map<String, Long> users = new TreeMap<>();
      Map<String, Map<String, Long>> queued = new TreeMap<>();
      for (Object record : WatchedTable.of(live.tables(i), "jobs").records().values()) {
        Job job = (Job) record;
        if (job.getStatus() != JobStatus.FINISHED) {
          counted.merge(job.getSpec().getQueue() + " " + JobRecords.counted(job), 1L, Long::sum);
          long weight = QueuedJobs.weight(job);
          for (String whom : QueuedJobs.whom(job.getSpec())) {
            if (weight == 0) {
              continue;
            }
            Map<String, Long> sums =
                queued.computeIfAbsent(
                    QueuedJobs.key(job.getSpec().getQueue(), whom), key -> new TreeMap<>());
            sums.merge("jobs", weight, Long::sum);
            QueuedJobs.amounts(job.getSpec().getRequest())
                .forEach((name, amount) -> sums.merge(name, weight * amount, Long::sum));
          }
        }
        if ((job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING)
            && job.getSuspension() == Suspension.NONE) {
          for (NodeShare share : job.getAllocation().getShares()) {
            String prefix = job.getSpec().getQueue() + " ";
            counted.merge(prefix + "nodect", 1L, Long::sum);
            share.getAmounts().forEach((r, n) -> counted.merge(prefix + r, n, Long::sum));
          }
        }
        if (job.getSpec().getScriptHash().hasRemaining()) {
          users.merge("users/" + Keys.script(job.getSpec().getScriptHash()), 1L, Long::sum);
        }
      }
      assertEquals(counted, told(live.tables(i)), "counters of shard " + i);
      Map<String, Map<String, Long>> entities = new TreeMap<>();
      live.tables(i)
          .queued()
          .scan(
              "",
              null,
              (key, sum) -> {
                Map<String, Long> sums = new TreeMap<>(sum.getAmounts());
                sums.put("jobs", sum.getJobs());
                return entities.put(key, sums) == null;
              });
      Map<String, Long> routed = new TreeMap<>();
      live.tables(i)
          .routed()
          .scan("", null, (key, place) -> routed.put(key, place.getNumber()) == null);
      assertEquals(inRoutingQueues(live.tables(i)), routed, "routing queues of shard " + i);
      assertEquals(queued, entities, "users, groups and projects of shard " + i);
      Map<String, Long> kept = new TreeMap<>();
      Set<String> texts = new TreeSet<>();
      live.tables(i)
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
      assertEquals(users, kept, "users of scripts in shard " + i);
      assertEquals(users.keySet(), texts, "texts of scripts in shard " + i);
    }
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

  @ParameterizedTest
  @SeedSource({BUSY_SEED, OTHER_BUSY_SEED})
  void inEveryHistory(long seed) {
    Watcher watcher = new Watcher();
    History history = new History(seed, watcher);
    watcher.live = history.shards;
    history.play(COMMANDS);
    history.settle();
    TestShards shards = history.shards;
    countersEqualARecount(shards);
    nothingIsInTwoPlaces(shards);
    arraysAddUp(shards);
    arraysGoOn(shards);
    jobsAreConserved(shards, watcher);
    everythingIsAtHome(shards);
    whatIsWaitedForIsThere(shards);
    everyCommandHasOneAnswer(history);
    // A history by chance may stop its queues early: of a hundred one had 9 runs.
    int least = seed == BUSY_SEED || seed == OTHER_BUSY_SEED ? 50 : 5;
    assertTrue(watcher.started.size() > least, () -> "only " + watcher.started.size() + " runs");
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

  private static void jobsAreConserved(TestShards shards, Watcher watcher) {
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
