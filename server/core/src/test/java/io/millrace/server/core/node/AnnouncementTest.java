package io.millrace.server.core.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.HostServed;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Two executors under one host name: one of them gets the orders. */
class AnnouncementTest {
  private static final String OTHER = "other spool";

  private final TestShards shards = TestShards.threePartitions();

  private <R extends SpecificRecord> R last(Class<R> type) {
    List<R> all = shards.dispatch().stream().filter(type::isInstance).map(type::cast).toList();
    return all.get(all.size() - 1);
  }

  private void announce(String spool, long life, boolean takeOver) {
    shards.send(0, Calls.nodeUp(shards.executor("n0"), "n0", spool, life, takeOver));
    shards.run();
  }

  private String server() {
    return shards.tables(0).nodes().get("n0").getExecutor();
  }

  @Test
  void ordersNameTheExecutorThatTheyAreFor() {
    StartRun run = shards.running("ann");
    assertEquals(Calls.SPOOL, run.getExecutor());
    shards.ask(0, Calls.delete(shards.user("ann"), run.getJobId(), false));
    assertEquals(Calls.SPOOL, last(KillRun.class).getExecutor());
    announce(Calls.SPOOL, 2, false);
    assertEquals(new HostServed("n0", 0, Calls.SPOOL, 1, 2L, 0), last(HostServed.class));
  }

  @Test
  void aHostWithoutRunsIsTakenOverAndLaterOrdersAreForTheNewExecutor() {
    announce(OTHER, 7, false);
    assertEquals(new HostServed("n0", 0, OTHER, 2, 7L, 0), last(HostServed.class));
    List<Integer> incarnations =
        shards.facts(NodeCameUp.class).stream()
            .filter(fact -> fact.getName().equals("n0"))
            .map(NodeCameUp::getIncarnation)
            .toList();
    assertEquals(List.of(1, 2), incarnations);
    assertEquals(OTHER, shards.running("ann").getExecutor());
  }

  @Test
  void anotherExecutorIsRefusedWhileTheFirstHasRuns() {
    StartRun run = shards.running("ann");
    int facts = shards.facts(NodeCameUp.class).size();
    announce(OTHER, 7, false);
    assertEquals(new HostServed("n0", 0, Calls.SPOOL, 1, 7L, 1), last(HostServed.class));
    assertEquals(facts, shards.facts(NodeCameUp.class).size());
    assertEquals(Calls.SPOOL, server());
    assertEquals(Calls.SPOOL, shards.running("bob").getExecutor());
    shards.finished(run, 0);
    announce(OTHER, 8, false);
    assertEquals(Calls.SPOOL, server(), "bob's run is still there");
  }

  @Test
  void whatTheLostSpoolHadIsAskedOfTheNewExecutorAndEndedWhereverItIs() {
    StartRun run = shards.running("ann");
    announce(OTHER, 7, true);
    assertEquals(OTHER, server());
    AskRuns question = last(AskRuns.class);
    assertEquals(OTHER, question.getExecutor());
    assertEquals(run.getJobId(), question.getRuns().get(0).getJobId());
    shards.send(0, Calls.missing(shards.executor("n0"), question.getRuns().get(0), "n0"));
    shards.run();
    assertEquals(JobStatus.QUEUED, shards.status(run.getJobId()));
    KillRun kill = last(KillRun.class);
    assertEquals(run.getJobId(), kill.getJobId());
    assertTrue(kill.getExecutor().isEmpty(), "for whoever has it");
  }

  @Test
  void aLateReportOfTheEarlierExecutorsLoadTakesNothingBack() {
    announce(OTHER, 7, false);
    ReportNodeUp late = Calls.nodeUp(shards.executor("n0"), "n0", Calls.SPOOL, 1, false);
    late.setMeasured(Map.of("ncpus", 4L, "mem", 1L << 30, "load.load_medium", 1_000_000L));
    shards.send(0, late);
    shards.run();
    assertEquals(OTHER, server());
    assertEquals(new HostServed("n0", 0, OTHER, 2, 1L, 0), last(HostServed.class));
  }

  @Test
  void anExecutorThatNamesNoSpoolYetIsFollowedByItsSuccessor() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n1");
    shards.send(0, Calls.nodeUp(shards.executor("n1"), "n1", "", 0, false));
    shards.run();
    assertEquals(
        0, shards.grant(shards.submit(Calls.job("ann", "workq", 1)), "default", "n1", 1).getCode());
    assertEquals("", shards.lastStart().getExecutor());
    shards.send(0, Calls.nodeUp(shards.executor("n1"), "n1", OTHER, 7, false));
    shards.run();
    assertEquals(OTHER, shards.tables(0).nodes().get("n1").getExecutor());
  }

  @Test
  void aNodeThatComesToOthersOfItsHostIsServedByTheirExecutor() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "e1", "partition=peast", "Mom=w0");
    String job = shards.submit(Calls.job("ann", "west", 1));
    assertEquals(0, shards.grant(job, "ws", "w0", 1).getCode());
    int east = shards.shardOfScheduler("es");
    int west = shards.shardOfScheduler("ws");
    shards.send(east, Calls.nodeUp(shards.executor("w0"), "w0", OTHER, 7, false));
    shards.run();
    assertEquals(OTHER, shards.tables(east).nodes().get("e1").getExecutor());
    assertEquals(Calls.SPOOL, shards.tables(west).nodes().get("w0").getExecutor());
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "e1", "partition=pwest");
    assertEquals(Calls.SPOOL, shards.tables(west).nodes().get("e1").getExecutor());
  }
}
