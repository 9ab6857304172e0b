package io.millrace.server.core.handover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ExchangeJobs;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.OfferJob;
import io.millrace.schemas.command.OfferNode;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.JobKept;
import io.millrace.schemas.fact.JobOffered;
import io.millrace.schemas.fact.NodeAccepted;
import io.millrace.schemas.fact.NodeKept;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Queues, nodes and partitions that change shards while there is work. */
class HandoverTest {
  private final TestShards shards = TestShards.threePartitions();
  private final int east = shards.shardOfQueue("east");
  private final int west = shards.shardOfQueue("west");

  private List<String> submitted(String queue, int count) {
    NewJob[] jobs = new NewJob[count];
    Arrays.fill(jobs, Calls.job("ann", queue, 1));
    return shards.ask(0, Calls.submit(shards.user("ann"), List.of(), jobs)).getLines();
  }

  @Test
  void theJobsOfAQueueThatMovesFollowItAndTheRunningOneAfterItsRun() {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      jobs.addAll(submitted("east", 100));
    }
    shards.ask(east, Calls.hold(shards.user("ann"), jobs.get(7), "u"));
    String running = jobs.get(0);
    assertEquals(0, shards.grant(running, "es", "e0", 1).getCode());
    StartRun run = shards.lastStart();
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "partition=pwest");
    shards.run();
    assertEquals(west, shards.shardOfQueue("east"));
    assertEquals(east, shards.where(running), "stays where its node is");
    jobs.subList(1, jobs.size()).forEach(job -> assertEquals(west, shards.where(job), job));
    assertEquals(JobStatus.HELD, shards.status(jobs.get(7)));
    assertEquals(0, shards.code(east, Calls.rerun(shards.operator(), running)));
    shards.finished(run, 271);
    assertEquals(west, shards.where(running));
    assertEquals(0, shards.grant(running, "ws", "w0", 1).getCode());
    assertEquals(2, shards.lastStart().getRun());
    assertEquals(west, shards.lastStart().getShard());
    Map<CommandId, Integer> offers = new HashMap<>();
    shards
        .facts(east, JobOffered.class)
        .forEach(fact -> offers.merge(fact.getMeta().getCause(), 1, Integer::sum));
    int most = Collections.max(offers.values());
    assertTrue(most <= 50, most + " offers of one command");
  }

  @Test
  void theJobsOfAQueueThatMovesKeepTheirOrder() {
    List<String> jobs = new ArrayList<>(submitted("east", 60));
    jobs.addAll(submitted("east", 60));
    int[][] pairs = {{0, 119}, {3, 70}, {60, 61}};
    for (int[] pair : pairs) {
      ExchangeJobs exchange =
          new ExchangeJobs(shards.operator(), jobs.get(pair[0]), jobs.get(pair[1]));
      assertEquals(0, shards.code(east, exchange));
    }
    List<String> before = inOrder(jobs);
    assertNotEquals(jobs, before);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "partition=pwest");
    jobs.forEach(job -> assertEquals(west, shards.where(job)));
    assertEquals(before, inOrder(jobs));
  }

  private List<String> inOrder(List<String> jobs) {
    return jobs.stream().sorted(Comparator.comparing(job -> shards.job(job).getRank())).toList();
  }

  @Test
  void anOfferedJobWhoseNumberIsNotThatOfItsIdIsNotTaken() {
    Job job = Job.newBuilder(shards.job(submitted("east", 1).get(0))).setHolds("w").build();
    job.getSpec().setExecutionMs(shards.nowMs + 1000);
    job.setNumber(job.getNumber() + 1);
    List<Integer> codes = new ArrayList<>();
    shards.observe((shard, command, outcome, facts) -> codes.add(outcome.code()));
    CommandMeta sender = shards.operator();
    sender.setRole(Role.SHARD);
    OfferJob offer = new OfferJob(sender, east, "west", job, null, false, List.of());
    shards.send(CommandFamily.SHARD, west, offer);
    shards.run();
    assertEquals(List.of(PbsError.INCIDENT.code()), codes);
    // With a record under one number and facts under another, its timer would stop the shard.
    shards.pass(2000);
    assertEquals(1, submitted("west", 1).size());
  }

  @Test
  void aDisabledQueueMovesWithItsJobs() {
    List<String> jobs = submitted("east", 3);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "enabled=f");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "partition=pwest");
    jobs.forEach(job -> assertEquals(west, shards.where(job)));
  }

  @Test
  void aQueueOfWhichARunIsLeftElsewhereIsNotDeleted() {
    String running = submitted("east", 1).get(0);
    shards.grant(running, "es", "e0", 1);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "partition=pwest");
    assertEquals(15027, shards.qmgr(ChangeOperation.DELETE, ObjectKind.QUEUE, "east").getCode());
    shards.finished(shards.lastStart(), 0);
    shards.must(ChangeOperation.DELETE, ObjectKind.QUEUE, "east");
  }

  @Test
  void anIdleNodeMovesAtOnceAndItsHostIsAsked() {
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "e0", "partition=pwest");
    assertEquals(Set.of(west), shards.node("e0").keySet());
    Node node = shards.node("e0").get(west);
    assertTrue(node.getUp());
    assertEquals(-1, node.getOfferedTo());
    assertTrue(shards.dispatch().contains(new AskHost("e0", west)));
    String job = submitted("west", 1).get(0);
    assertEquals(0, shards.grant(job, "ws", "e0", 1).getCode());
  }

  @Test
  void anOfferedNodeIsGivenNoRuns() {
    String job = submitted("east", 1).get(0);
    shards.silence(west, true);
    shards.send(
        0,
        Calls.change(
            shards.manager(), ChangeOperation.SET, ObjectKind.NODE, "e0", "partition=pwest"));
    shards.run();
    assertEquals(
        PbsError.NO_ROOM.code(), shards.grant(job, "es", "e0", 1).getCode(), "its move is agreed");
    shards.silence(west, false);
    shards.run();
    assertEquals(Set.of(west), shards.node("e0").keySet());
  }

  @Test
  void aPartitionGoesToAnotherSchedulerWithAllThatIsInIt() {
    List<String> jobs = submitted("east", 60);
    shards.grant(jobs.get(0), "es", "e0", 1);
    StartRun run = shards.lastStart();
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "es", "partition");
    assertEquals(east, shards.shardOfQueue("east"), "orphaned it stays");
    assertEquals(
        PbsError.STALE_PROPOSAL.code(), shards.grant(jobs.get(1), "es", "e0", 1).getCode());
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "ws", "partition+=peast");
    assertEquals(west, shards.shardOfQueue("east"));
    jobs.subList(1, 60).forEach(job -> assertEquals(west, shards.where(job)));
    assertEquals(east, shards.where(jobs.get(0)));
    assertEquals(Set.of(east), shards.node("e0").keySet(), "busy: goes when its run ends");
    assertEquals(15027, shards.qmgr(ChangeOperation.DELETE, ObjectKind.NODE, "e0").getCode());
    assertEquals(PbsError.NO_ROOM.code(), shards.grant(jobs.get(1), "ws", "e0", 1).getCode());
    shards.finished(run, 0);
    assertEquals(Set.of(west), shards.node("e0").keySet());
    assertEquals(0, shards.grant(jobs.get(1), "ws", "e0", 1).getCode());
    RunJob late =
        Calls.run(
            shards.engine("es"), "es", shards.epoch("es"), jobs.get(2), Calls.share("e0", 1, 1));
    assertEquals(15001, shards.code(east, late), "the old engine's shard has the job no more");
  }

  @Test
  void aNodeThatBelongsElsewhereIsNotTaken() {
    Node stranger = Node.newBuilder(shards.node("e0").get(east)).setName("stranger").build();
    CommandMeta meta = shards.calls.silent("shard-" + east, Role.SHARD, shards.nowMs);
    shards.send(west, new OfferNode(meta, east, stranger));
    shards.run();
    assertEquals(Map.of(), shards.node("stranger"));
    assertEquals(0, shards.facts(NodeAccepted.class).size());
  }

  @Test
  void anOfferThatArrivesAfterThePartitionWentOnIsRefusedAndMadeAgain() {
    // With a partition it stays in its shard.
    shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "s3", "partition=pthird");
    int third = shards.shardOfScheduler("s3");
    assertFalse(Set.of(east, west).contains(third));
    String job = submitted("east", 1).get(0);
    shards.grant(job, "es", "e0", 1);
    StartRun run = shards.lastStart();
    shards.ask(east, Calls.rerun(shards.operator(), job));
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "es", "partition");
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "ws", "partition+=peast");
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "ws", "partition-=peast");
    // The run ends, and before job and node are offered to the west the partition goes on.
    shards.send(east, Calls.finished(shards.executor("e0"), run, 271));
    shards.step(east);
    shards.silence(east, true);
    shards.ask(
        0,
        Calls.change(
            shards.manager(), ChangeOperation.SET, ObjectKind.SCHEDULER, "s3", "partition=peast"));
    assertEquals(third, PartitionTable.shardOf(shards.tables(west), "peast"));
    assertEquals(west, PartitionTable.shardOf(shards.tables(east), "peast"));
    shards.silence(east, false);
    shards.run();
    assertEquals(1, shards.facts(east, NodeKept.class).size());
    assertEquals(1, shards.facts(east, JobKept.class).size());
    assertEquals(third, shards.where(job));
    assertEquals(Set.of(third), shards.node("e0").keySet());
  }
}
