package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.CommandsReleased;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.SubjobsWithdrawn;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Message;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/** Looks at each step as it happens. */
final class StepWatcher implements TestShards.Observer {
  private static final int LOOK_EVERY = 200;

  private final Map<String, Integer> runs = new HashMap<>();
  private final Set<Long> numbers = new HashSet<>();
  final Set<String> accepted = new TreeSet<>();
  final Set<String> purged = new TreeSet<>();
  final Set<String> started = new HashSet<>();
  private final Set<String> messages = new HashSet<>();
  private final BookedNodes booked = new BookedNodes();
  TestShards live;
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
        assertTrue(started.add(run.getJobId() + "/" + run.getRun() + task), () -> "twice: " + run);
      }
    }
    if (++steps % LOOK_EVERY == 0) {
      TableRules.hold(live);
      for (int i = 0; i < TestShards.COUNT; i++) {
        DerivedBookings.check(live.tables(i));
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
