package io.millrace.server.core.run.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Proposals are believed only after a look at the shard's own state. */
class GrantTest {
  private static final int STALE = PbsError.STALE_PROPOSAL.code();
  private static final int NO_ROOM = PbsError.NO_ROOM.code();
  private final TestShards shards = TestShards.threePartitions();

  private String job(Chunk... chunks) {
    return shards.submit(Calls.job("ann", "workq", Calls.request("", chunks)));
  }

  private static Chunk chunk(int count, long ncpus) {
    return new Chunk(count, Map.of("ncpus", ncpus), Map.of());
  }

  private int propose(String job, NodeShare... shares) {
    return shards.code(
        0, Calls.run(shards.engine("default"), "default", shards.epoch("default"), job, shares));
  }

  @Test
  void agrantedRunIsDispatchedAndHeld() {
    String job = job(chunk(1, 3));
    assertEquals(0, shards.grant(job, "default", "n0", 3).getCode());
    StartRun order = shards.lastStart();
    assertEquals(1, order.getRun());
    assertEquals(0, order.getShard());
    assertEquals("n0", order.getHost());
    assertEquals("mill", order.getServer());
    assertEquals("n0/0*3", order.getAllocation().getExecHost());
    assertEquals("(n0:ncpus=3)", order.getAllocation().getExecVnode());
    assertEquals(JobStatus.RUNNING, shards.status(job));
    assertEquals(Map.of("ncpus", 3L), shards.holdings(0, "n0").get(0).getAmounts());
    io.millrace.schemas.state.Queue queue = shards.tables(0).queues().get("workq");
    assertEquals(Map.of("ncpus", 3L, "nodect", 1L), queue.getAssigned());
  }

  @Test
  void theOrderSaysHowMuchTheRunMayPrint() {
    assertEquals(0, shards.running("ann").getOutputMaxKb());
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "max_output=10mb");
    assertEquals(10 * 1024, shards.running("ann").getOutputMaxKb());
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "max_output=1gb");
    assertEquals(1024 * 1024, shards.running("ann").getOutputMaxKb(), "the queue's counts");
  }

  @Test
  void noNodeIsGivenMoreThanItHas() {
    assertEquals(NO_ROOM, shards.grant(job(chunk(1, 5)), "default", "n0", 5).getCode());
    assertEquals(0, shards.grant(job(chunk(1, 3)), "default", "n0", 3).getCode());
    String second = job(chunk(1, 2));
    assertEquals(NO_ROOM, shards.grant(second, "default", "n0", 2).getCode());
    assertEquals(
        NO_ROOM,
        propose(job(chunk(2, 1)), Calls.share("n0", 1, 1), Calls.share("n0", 1, 1)),
        "the shares of one node are added up");
    shards.finished(shards.lastStart(), 0);
    assertEquals(0, shards.grant(second, "default", "n0", 2).getCode());
  }

  @Test
  void resourcesThatTheAdministratorSetCountAndUnknownOnesDoNot() {
    Chunk licence = new Chunk(1, Map.of("ncpus", 1L, "lic", 2L), Map.of());
    String job = job(licence);
    NodeShare share = new NodeShare("n0", "", 1, Map.of("ncpus", 1L, "lic", 2L));
    assertEquals(NO_ROOM, propose(job, share));
    shards.must(ChangeOperation.CREATE, ObjectKind.RESOURCE, "lic", "type=long", "flag=nh");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "resources_available.lic=3");
    assertEquals(0, propose(job, share));
    assertEquals("(n0:ncpus=1:lic=2)", shards.lastStart().getAllocation().getExecVnode());
    assertEquals(NO_ROOM, propose(job(licence), share));
  }

  /** As PBS tells it: resources as the job names them, and none that lays out processes only. */
  @Test
  void whatIsToldOfAShareGoesByTheRequest() {
    Map<String, Long> amounts = Map.of("ncpus", 2L, "mem", 0L, "mpiprocs", 2L);
    String job = job(new Chunk(1, amounts, Map.of()));
    shards
        .job(job)
        .getSpec()
        .setResourceList(List.of(new Attribute("select", "1:mpiprocs=2:mem=0b:ncpus=2")));
    assertEquals(0, propose(job, new NodeShare("n0", "", 1, amounts)));
    StartRun order = shards.lastStart();
    assertEquals("(n0:mem=0kb:ncpus=2)", order.getAllocation().getExecVnode());
    assertEquals(2, order.getAllocation().getShares().get(0).getAmounts().get("mpiprocs"));
  }

  @Test
  void theSharesMustBeTheWholeRequestAndNoMore() {
    String job = job(chunk(2, 1));
    assertEquals(NO_ROOM, propose(job));
    assertEquals(NO_ROOM, propose(job, Calls.share("n0", 1, 1)));
    assertEquals(NO_ROOM, propose(job, Calls.share("n0", 2, 1)));
    assertEquals(NO_ROOM, propose(job, Calls.share("n0", 1, 2)));
    assertEquals(NO_ROOM, propose(job, Calls.share("n0", 2, 3)));
    NodeShare mem = new NodeShare("n0", "", 2, Map.of("ncpus", 2L, "mem", 1L));
    assertEquals(NO_ROOM, propose(job, mem));
    assertEquals(0, propose(job, Calls.share("n0", 2, 2)));
  }

  @Test
  void nothingNegativeBalancesAShareThatIsTooLarge() {
    String job = job(chunk(1, 2));
    NodeShare gives = new NodeShare("n0", "", 0, Map.of("ncpus", -4L));
    assertEquals(NO_ROOM, propose(job, gives, Calls.share("n0", 1, 6)));
    assertEquals(NO_ROOM, propose(job, Calls.share("n0", -1, 1), Calls.share("n0", 2, 1)));
    assertEquals(NO_ROOM, propose(job, Calls.share("n0", 1, 2), Calls.share("n0", 0, 0)));
  }

  @Test
  void jobsOnAHostHaveNumbers() {
    StartRun[] runs = new StartRun[3];
    for (int i = 0; i < 3; i++) {
      assertEquals(0, shards.grant(job(chunk(1, 1)), "default", "n0", 1).getCode());
      runs[i] = shards.lastStart();
      assertEquals("n0/" + i, runs[i].getAllocation().getExecHost());
    }
    shards.finished(runs[1], 0);
    assertEquals(0, shards.grant(job(chunk(1, 2)), "default", "n0", 2).getCode());
    assertEquals("n0/1*2", shards.lastStart().getAllocation().getExecHost(), "the free one");
  }

  @Test
  void eachChunkIsWholeOnOneNode() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n1");
    shards.nodeUp("n1", 4);
    String job = job(chunk(2, 2));
    assertEquals(NO_ROOM, propose(job, Calls.share("n0", 1, 3), Calls.share("n1", 1, 1)));
    assertEquals(0, propose(job, Calls.share("n0", 1, 2), Calls.share("n1", 1, 2)));
    assertEquals("n0/0*2+n1/0*2", shards.lastStart().getAllocation().getExecHost());
    assertEquals("(n0:ncpus=2)+(n1:ncpus=2)", shards.lastStart().getAllocation().getExecVnode());
  }

  @Test
  void propertiesThatAChunkAsksForAreLookedAt() {
    Chunk there = new Chunk(1, Map.of("ncpus", 1L), Map.of("host", "n1"));
    assertEquals(NO_ROOM, shards.grant(job(there), "default", "n0", 1).getCode());
    Chunk here = new Chunk(1, Map.of("ncpus", 1L), Map.of("host", "n0"));
    assertEquals(0, shards.grant(job(here), "default", "n0", 1).getCode());
  }

  @Test
  void anEngineThatDoesNotKnowYetForWhichQueueANodeIsIsNotBelieved() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n1");
    shards.nodeUp("n1", 4);
    shards.queue("wq1", "");
    String job = job(chunk(1, 1));
    String other = shards.submit(Calls.job("ann", "wq1", Calls.request("", chunk(1, 1))));
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n1", "queue=wq1");
    assertEquals(NO_ROOM, shards.grant(job, "default", "n1", 1).getCode(), "of another queue");
    assertEquals(NO_ROOM, shards.grant(other, "default", "n0", 1).getCode(), "of no queue");
    assertEquals(0, shards.grant(other, "default", "n1", 1).getCode());
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    String then = shards.submit(Calls.job("ann", "wq1", Calls.request("", chunk(1, 1))));
    shards.must(ChangeOperation.UNSET, ObjectKind.NODE, "n1", "queue");
    assertEquals(0, shards.grant(then, "default", "n0", 1).getCode());
  }

  @Test
  void onlyNodesThatAreUpAndInThePartition() {
    String job = job(chunk(1, 1));
    assertEquals(NO_ROOM, shards.grant(job, "default", "nowhere", 1).getCode());
    assertEquals(NO_ROOM, shards.grant(job, "default", "e0", 1).getCode());
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n1");
    assertEquals(NO_ROOM, shards.grant(job, "default", "n1", 1).getCode(), "never came up");
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    assertEquals(NO_ROOM, shards.grant(job, "default", "n0", 1).getCode());
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=free");
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
  }

  @Test
  void anotherPartitionOfTheSameShardIsAnotherPartition() {
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "es", "partition+=p2");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "e1", "partition=p2");
    shards.nodeUp("e1", 4);
    String job = shards.submit(Calls.job("ann", "east", 1));
    assertEquals(NO_ROOM, shards.grant(job, "es", "e1", 1).getCode());
    assertEquals(0, shards.grant(job, "es", "e0", 1).getCode());
  }

  @Test
  void staleEpochsAndStrangeSchedulersAreRefused() {
    String job = job(chunk(1, 1));
    NodeShare share = Calls.share("n0", 1, 1);
    long epoch = shards.epoch("default");
    assertTrue(shards.startEngine("default") > epoch);
    RunJob old = Calls.run(shards.engine("default"), "default", epoch, job, share);
    Reply reply = shards.ask(0, old);
    assertEquals(STALE, reply.getCode());
    assertEquals(
        STALE,
        shards.code(0, Calls.run(shards.engine("es"), "es", shards.epoch("es"), job, share)));
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
  }

  @Test
  void aQueueThatIsNotStartedRunsNothing() {
    String job = job(chunk(1, 1));
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "started=f");
    assertEquals(STALE, shards.grant(job, "default", "n0", 1).getCode());
  }

  @Test
  void onlyQueuedJobsRun() {
    String job = job(chunk(1, 1));
    assertEquals(15001, shards.grant("99.mill", "default", "n0", 1).getCode());
    shards.ask(0, Calls.hold(shards.user("ann"), job, "u"));
    assertEquals(15016, shards.grant(job, "default", "n0", 1).getCode());
    shards.ask(0, Calls.release(shards.user("ann"), job, "u"));
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    assertEquals(15016, shards.grant(job, "default", "n0", 1).getCode());
    assertEquals(1, shards.facts(RunGranted.class).size());
  }

  @Test
  void whoIsAloneStaysAlone() {
    NodeShare share = Calls.share("n0", 1, 1);
    String alone = shards.submit(Calls.job("ann", "workq", Calls.request("excl", chunk(1, 1))));
    String other = job(chunk(1, 1));
    assertEquals(0, propose(other, share));
    assertEquals(NO_ROOM, propose(alone, share), "somebody is there");
    shards.finished(shards.lastStart(), 0);
    assertEquals(0, propose(alone, share));
    assertEquals(NO_ROOM, propose(job(chunk(1, 1)), share), "he wants to be alone");
  }

  private String placed(String place, Chunk... chunks) {
    return shards.submit(Calls.job("ann", "workq", Calls.request(place, chunks)));
  }

  /** Hosts h1 with the nodes v1 and v2, and h2 with v3, each node of 4 cpus. */
  private void hostsOfSeveralNodes() {
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "v1", "Mom=h1");
    shards.must(
        ChangeOperation.CREATE, ObjectKind.NODE, "v2", "Mom=h1", "resources_available.ncpus=4");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "v3", "Mom=h2");
    shards.nodeUp("h1", 4);
    shards.nodeUp("h2", 4);
  }

  private String hosts(NodeShare... shares) {
    assertEquals(0, propose(job(chunk(shares.length, 1)), shares));
    return shards.lastStart().getAllocation().getExecHost();
  }

  @Test
  void jobsOnSeveralNodesOfAHostHaveNumbersOfTheHost() {
    hostsOfSeveralNodes();
    NodeShare v1 = Calls.share("v1", 1, 1);
    NodeShare v2 = Calls.share("v2", 1, 1);
    assertEquals("h1/0", hosts(v1));
    assertEquals("h1/1", hosts(v2));
    StartRun second = shards.lastStart();
    assertEquals("h1/2+h1/3+h2/0", hosts(v1, v2, Calls.share("v3", 1, 1)));
    shards.finished(second, 0);
    assertEquals("h1/1", hosts(v1), "the free one, whichever node had it");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "h2", "resources_available.ncpus=4");
    shards.nodeUp("h2", 4);
    assertEquals("h2/1", hosts(Calls.share("h2", 1, 1)), "a node that came later");
  }

  @Test
  void scatteredChunksAreOnHostsOfTheirOwn() {
    hostsOfSeveralNodes();
    String job = placed("scatter", chunk(2, 1));
    NodeShare v1 = Calls.share("v1", 1, 1);
    NodeShare v2 = Calls.share("v2", 1, 1);
    int wrong = PbsError.WRONG_PLACEMENT.code();
    assertEquals(wrong, propose(job, Calls.share("v1", 2, 2)));
    assertEquals(wrong, propose(job, v1, v1), "two shares of one node");
    assertEquals(wrong, propose(job, v1, v2), "two nodes of one host");
    assertEquals(JobStatus.QUEUED, shards.status(job));
    Reply reply =
        shards.ask(
            0,
            Calls.run(shards.engine("default"), "default", shards.epoch("default"), job, v1, v2));
    assertEquals(
        List.of("Proposed run is not placed as the job asks, place=scatter"), reply.getLines());
    assertEquals(0, propose(job, v1, Calls.share("v3", 1, 1)));
  }

  /** A run on hosts of a cluster of another system is one job there. */
  @Test
  void aRunHasHostsOfOneClusterOrOfNone() {
    for (String node : List.of("n1@c1", "n2@c1", "n1@c2", "here")) {
      shards.must(ChangeOperation.CREATE, ObjectKind.NODE, node, "resources_available.ncpus=4");
      shards.nodeUp(node, 4);
    }
    String job = placed("scatter", chunk(2, 1));
    int wrong = PbsError.SEVERAL_CLUSTERS.code();
    NodeShare first = Calls.share("n1@c1", 1, 1);
    assertEquals(wrong, propose(job, first, Calls.share("n1@c2", 1, 1)));
    assertEquals(wrong, propose(job, first, Calls.share("here", 1, 1)));
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertEquals(0, propose(job, first, Calls.share("n2@c1", 1, 1)));
  }

  @Test
  void vscatteredChunksAreOnNodesOfTheirOwn() {
    hostsOfSeveralNodes();
    String job = placed("vscatter:shared", chunk(2, 1));
    assertEquals(PbsError.WRONG_PLACEMENT.code(), propose(job, Calls.share("v1", 2, 2)));
    assertEquals(0, propose(job, Calls.share("v1", 1, 1), Calls.share("v2", 1, 1)));
  }

  @Test
  void packedChunksAreOnOneHost() {
    hostsOfSeveralNodes();
    String job = placed("pack", chunk(2, 3));
    NodeShare v1 = Calls.share("v1", 1, 3);
    assertEquals(PbsError.WRONG_PLACEMENT.code(), propose(job, v1, Calls.share("v3", 1, 3)));
    assertEquals(0, propose(job, v1, Calls.share("v2", 1, 3)));
    assertEquals(0, propose(placed("pack", chunk(3, 1)), Calls.share("v3", 3, 3)));
  }

  @Test
  void chunksOfSeveralKindsAreNotCutAnew() {
    hostsOfSeveralNodes();
    String job = placed("scatter", chunk(1, 3), chunk(1, 1));
    assertEquals(NO_ROOM, propose(job, Calls.share("v1", 1, 2), Calls.share("v3", 1, 2)));
    assertEquals(0, propose(job, Calls.share("v1", 1, 1), Calls.share("v3", 1, 3)));
  }

  @Test
  void whoWantsTheHostIsAloneOnAllItsNodes() {
    hostsOfSeveralNodes();
    NodeShare v1 = Calls.share("v1", 1, 1);
    NodeShare v2 = Calls.share("v2", 1, 1);
    String other = job(chunk(1, 1));
    assertEquals(0, propose(other, v2));
    StartRun run = shards.lastStart();
    String alone = placed("exclhost", chunk(1, 1));
    assertEquals(NO_ROOM, propose(alone, v1), "somebody is on another node of the host");
    assertEquals(0, propose(placed("excl", chunk(1, 1)), v1), "the node is enough for him");
    shards.finished(shards.lastStart(), 0);
    shards.finished(run, 0);
    assertEquals(0, propose(alone, v1));
    run = shards.lastStart();
    assertEquals(1, shards.tables(0).numbers().get(Keys.NUMBERS).getExclusiveHosts());
    String late = job(chunk(1, 1));
    assertEquals(NO_ROOM, propose(late, v2), "he wants the host to be alone");
    assertEquals(0, propose(job(chunk(1, 1)), Calls.share("v3", 1, 1)), "another host");
    shards.finished(run, 0);
    assertEquals(0, shards.tables(0).numbers().get(Keys.NUMBERS).getExclusiveHosts());
    assertEquals(0, propose(late, v2));
  }

  private List<Boolean> exclusive(String node) {
    return shards.tables(0).nodes().get(node).getHoldings().stream()
        .map(Holding::getExclusive)
        .toList();
  }

  @Test
  void aNodeKnowsWhoWantsToBeAloneOnIt() {
    hostsOfSeveralNodes();
    assertEquals(0, propose(placed("excl", chunk(1, 1)), Calls.share("v1", 1, 1)));
    assertEquals(0, propose(placed("pack:shared", chunk(1, 1)), Calls.share("v2", 1, 1)));
    assertEquals(0, propose(placed("exclhost", chunk(1, 1)), Calls.share("v3", 1, 1)));
    assertEquals(List.of(true), exclusive("v1"));
    assertEquals(List.of(false), exclusive("v2"));
    assertEquals(List.of(true), exclusive("v3"));
    shards.finished(shards.lastStart(), 0);
    assertEquals(List.of(), exclusive("v3"));
  }

  /** Whether a second run is let in: on the node of the first one, and on another of its host. */
  private void together(String sharing, String first, String second, boolean node, boolean host) {
    String said = sharing + " " + first + " " + second;
    assertEquals(0, propose(placed(first, chunk(1, 1)), Calls.share("v1", 1, 1)), said);
    StartRun run = shards.lastStart();
    int there = propose(placed(second, chunk(1, 1)), Calls.share("v1", 1, 1));
    assertEquals(node ? 0 : NO_ROOM, there, said);
    if (node) {
      shards.finished(shards.lastStart(), 0);
    }
    int beside = propose(placed(second, chunk(1, 1)), Calls.share("v2", 1, 1));
    assertEquals(host ? 0 : NO_ROOM, beside, said);
    if (host) {
      shards.finished(shards.lastStart(), 0);
    }
    shards.finished(run, 0);
    assertEquals(0, shards.tables(0).numbers().get(Keys.NUMBERS).getExclusiveHosts(), said);
  }

  private void sharing(String value) {
    for (String node : List.of("v1", "v2")) {
      shards.must(ChangeOperation.SET, ObjectKind.NODE, node, "sharing=" + value);
    }
  }

  @Test
  void nodesSayWhoMayBeOnThemTogether() {
    hostsOfSeveralNodes();
    together("default_shared", "", "", true, true);
    together("default_shared", "", "excl", false, true);
    sharing("ignore_excl");
    together("ignore_excl", "excl", "exclhost", true, true);
    sharing("force_excl");
    together("force_excl", "shared", "shared", false, true);
    together("force_excl", "exclhost", "shared", false, false);
    sharing("force_exclhost");
    together("force_exclhost", "shared", "", false, false);
    sharing("default_excl");
    together("default_excl", "", "shared", false, true);
    together("default_excl", "shared", "", false, true);
    together("default_excl", "shared", "shared", true, true);
    sharing("default_exclhost");
    together("default_exclhost", "", "shared", false, false);
    together("default_exclhost", "shared", "", false, false);
    together("default_exclhost", "excl", "shared", false, true);
    together("default_exclhost", "shared", "shared", true, true);
  }

  /** One node's word closes the others of its host, whatever these say. */
  @Test
  void aHostIsItsOwnByOneOfItsNodes() {
    hostsOfSeveralNodes();
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "v1", "sharing=force_exclhost");
    together("v1 has its host", "", "", false, false);
    assertEquals(0, propose(job(chunk(1, 1)), Calls.share("v2", 1, 1)));
    StartRun run = shards.lastStart();
    assertEquals(NO_ROOM, propose(job(chunk(1, 1)), Calls.share("v1", 1, 1)));
    assertEquals(0, propose(job(chunk(1, 1)), Calls.share("v2", 1, 1)));
    shards.finished(shards.lastStart(), 0);
    shards.finished(run, 0);
    assertEquals(0, propose(job(chunk(2, 1)), Calls.share("v1", 1, 1), Calls.share("v2", 1, 1)));
    assertEquals(List.of(true), exclusive("v1"));
  }

  @Test
  void whoMayBeOnANodeIsFixedWhileItHasRuns() {
    hostsOfSeveralNodes();
    assertEquals(0, propose(job(chunk(1, 1)), Calls.share("v1", 1, 1)));
    Reply busy = shards.qmgr(ChangeOperation.SET, ObjectKind.NODE, "v1", "sharing=force_excl");
    assertEquals(15227, busy.getCode());
    assertEquals(List.of("Node is busy"), busy.getLines());
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "v1", "sharing=default_shared");
    shards.finished(shards.lastStart(), 0);
    sharing("force_excl");
    assertEquals(0, propose(job(chunk(1, 1)), Calls.share("v1", 1, 1)), "open again");
    assertEquals(List.of(true), exclusive("v1"));
  }

  @Test
  void aRunThatIsRequeuedLeavesTheHost() {
    hostsOfSeveralNodes();
    String alone = placed("scatter:exclhost", chunk(2, 1));
    assertEquals(0, propose(alone, Calls.share("v1", 1, 1), Calls.share("v3", 1, 1)));
    StartRun run = shards.lastStart();
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), alone)));
    shards.finished(run, 271);
    assertEquals(0, shards.tables(0).numbers().get(Keys.NUMBERS).getExclusiveHosts());
    assertEquals(0, propose(job(chunk(1, 1)), Calls.share("v2", 1, 1)));
  }
}
