package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CycleTest {

  private static final long GB = 1L << 30;
  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final Policy policy = new Priority();
  private SchedulerState state;

  @BeforeEach
  void twoNodes() {
    state = new SchedulerState("default", 0, policy, 1000);
    state.facts().written(Records.licenses());
    state.facts().written(Records.scheduler());
    state.facts().written(Records.queue("workq"));
    addNode("n1", "h1");
    addNode("n2", "h2");
  }

  private void addNode(String name, String host) {
    state
        .facts()
        .written(
            Records.object(ObjectKind.NODE, name, "resources_available.lic", "2", "Mom", host));
    state.facts().node(Records.node(name, host, 8, 4 * GB));
  }

  private void submit(long number, int priority, String request) {
    state.facts().job(Records.job(number, "workq", priority, request));
  }

  private CycleDecisions cycle() {
    return cycle(1_000_000);
  }

  private CycleDecisions cycle(long units) {
    CycleDecisions decisions = Cycle.run(state, NOW, units);
    return decisions;
  }

  private static String text(CycleDecisions decisions) {
    return decisions.starts().stream()
        .map(it -> it.jobNumber() + ":" + nodes(it.shares()))
        .collect(Collectors.joining(" "));
  }

  private static String nodes(List<NodeShare> shares) {
    return shares.stream()
        .map(it -> it.getNode() + "*" + it.getChunks())
        .collect(Collectors.joining("+"));
  }

  private String comment() {
    ClassReason reason = state.reasons().take(1).reasons().get(0);
    return ReasonText.pbsComment(reason, ResourceTable.standard());
  }

  @Test
  void higherPriorityFirstThenOrderOfSubmission() {
    submit(1, 0, "ncpus=8");
    submit(2, 5, "ncpus=8");
    submit(3, 5, "ncpus=8");
    assertEquals("2:n1*1 3:n2*1", text(cycle()));
    assertEquals(2, state.answers().proposalsOpen());
  }

  private void queuePriority(String queue, String priority) {
    state
        .facts()
        .written(Records.object(ObjectKind.QUEUE, queue, "started", "True", "Priority", priority));
  }

  @Test
  void queuesOfHigherPriorityFirstWhateverTheirJobsHave() {
    queuePriority("workq", "10");
    queuePriority("high", "100");
    submit(1, 1023, "ncpus=8");
    state.facts().job(Records.job(2, "high", -1024, "ncpus=8"));
    state.facts().job(Records.job(3, "high", 0, "ncpus=8"));
    assertEquals("3:n1*1 2:n2*1", text(cycle()));
  }

  @Test
  void aQueueThatGetsAnotherPriorityChangesPlacesWhileItsJobsWait() {
    submit(1, 0, "ncpus=8");
    submit(2, 0, "ncpus=8");
    assertEquals("1:n1*1 2:n2*1", text(cycle()));
    queuePriority("high", "0");
    submit(3, 0, "ncpus=8");
    state.facts().job(Records.job(4, "high", 0, "ncpus=8"));
    assertEquals("", text(cycle()));
    queuePriority("high", "1");
    state.facts().gone(1);
    assertEquals("4:n1*1", text(cycle()));
    state.facts().job(Records.job(5, "high", 0, "ncpus=8"));
    queuePriority("high", "-1");
    state.facts().gone(2);
    assertEquals("3:n2*1", text(cycle()));
  }

  private void policy(String name) {
    state
        .facts()
        .written(
            Records.object(ObjectKind.SCHEDULER, "default", "scheduling", "True", "policy", name));
  }

  @Test
  void nothingIsDueWhenThePromisedJobIsDeletedRightAfterThePolicyHasPromisesNoMore() {
    policy("easy");
    submit(1, 0, "ncpus=8");
    submit(2, 0, "ncpus=8");
    submit(3, 0, "ncpus=8");
    assertEquals("1:n1*1 2:n2*1", text(cycle()));
    assertEquals(1, state.promises().size());
    policy("priority");
    state.facts().gone(3);
    assertEquals("", text(cycle()));
    assertFalse(state.workDue());
  }

  @Test
  void aJobThatDoesNotFitIsPassedOver() {
    submit(1, 9, "ncpus=8,mem=5gb");
    submit(2, 0, "ncpus=1");
    assertEquals("2:n1*1", text(cycle()));
    assertEquals(
        "Can Never Run: Insufficient amount of resource: mem (R: 5gb A: 4gb T: 4gb)", comment());
  }

  @Test
  void chunksShareNodesUnlessTheyAreScattered() {
    submit(1, 3, "select=2:ncpus=2+1:ncpus=4:mem=1gb");
    submit(2, 2, "select=2:ncpus=2,place=scatter");
    assertEquals("1:n1*3", text(cycle()));
    assertEquals("Not Running: Not enough free nodes available", comment());
    state.facts().gone(1);
    assertEquals("2:n1*1+n2*1", text(cycle()));
  }

  @Test
  void packStaysOnOneHost() {
    submit(1, 1, "select=1:ncpus=4");
    submit(2, 0, "select=2:ncpus=4,place=pack");
    assertEquals("1:n1*1 2:n2*2", text(cycle()));
  }

  @Test
  void customConsumablesAreCounted() {
    submit(1, 0, "select=1:ncpus=1:lic=2");
    submit(2, 0, "select=1:ncpus=1:lic=1");
    submit(3, 0, "select=1:ncpus=1:lic=2");
    assertEquals("1:n1*1 2:n2*1", text(cycle()));
    ClassReason reason = state.reasons().take(1).reasons().get(0);
    assertEquals("TOTAL_INSUFFICIENT", reason.getCode());
    assertEquals("lic", reason.getSubject());
    assertEquals(2, reason.getNeeded());
    assertEquals(1, reason.getFree());
    assertEquals(4, reason.getTotal());
  }

  @Test
  void exclusiveJobsWantEmptyNodesAndKeepOthersOut() {
    submit(1, 5, "select=1:ncpus=1");
    submit(2, 4, "select=1:ncpus=1,place=excl");
    submit(3, 3, "select=1:ncpus=8");
    assertEquals("1:n1*1 2:n2*1", text(cycle()));
    state.facts().gone(2);
    assertEquals("3:n2*1", text(cycle()));
  }

  @Test
  void exclhostKeepsTheOtherNodesOfTheHostFree() {
    addNode("n3", "h1");
    submit(1, 5, "select=1:ncpus=1,place=exclhost");
    submit(2, 4, "select=2:ncpus=5");
    assertEquals("1:n1*1", text(cycle()));
    state.facts().gone(1);
    assertEquals("2:n1*1+n2*1", text(cycle()));
  }

  @Test
  void propertiesAreMatched() {
    submit(1, 0, "select=1:ncpus=1:vnode=n2");
    submit(2, 0, "select=1:ncpus=1:host=nosuch");
    assertEquals("1:n2*1", text(cycle()));
    assertEquals(
        "Can Never Run: Insufficient amount of resource: host (nosuch != h1,h2)", comment());
  }

  @Test
  void aPropertyThatNobodyShowsIsToldAlsoWhileAllNodesAreBusy() {
    submit(1, 5, "select=1:ncpus=8");
    submit(2, 4, "select=1:ncpus=8");
    cycle();
    submit(3, 3, "select=1:ncpus=1:vnode=nosuch");
    cycle();
    assertEquals(
        "Can Never Run: Insufficient amount of resource: vnode (nosuch != n1,n2)", comment());
  }

  @Test
  void stoppedQueueOtherPartitionAndOfflineNodesAreLeftAlone() {
    state.facts().written(Records.object(ObjectKind.QUEUE, "stopped", "started", "False"));
    state
        .facts()
        .written(Records.object(ObjectKind.QUEUE, "other", "started", "True", "partition", "p1"));
    state.facts().job(Records.job(1, "stopped", 0, ""));
    state.facts().job(Records.job(2, "other", 0, ""));
    CycleDecisions decisions = cycle();
    assertEquals("", text(decisions));
    assertEquals(1, decisions.left().size());
    assertEquals("Not Running: Queue not started.", comment());
    state.facts().written(Records.object(ObjectKind.NODE, "n1", "state", "offline"));
    state.facts().written(Records.queue("stopped"));
    assertEquals("1:n2*1", text(cycle()));
    assertFalse(state.workDue());
  }

  @Test
  void schedulingOffSaysSoAndOnTriesAgain() {
    state.facts().written(Records.object(ObjectKind.SCHEDULER, "default", "scheduling", "False"));
    submit(1, 0, "");
    assertEquals("SCHEDULING_OFF", cycle().left().get(0).code());
    state.facts().written(Records.scheduler());
    assertEquals("1:n1*1", text(cycle()));
    assertEquals(List.of(), state.reasons().take(9).reasons());
  }

  @Test
  void aBlockedClassIsNotTriedAgainBeforeSomethingItWaitsForChanges() {
    submit(1, 0, "ncpus=8");
    submit(2, 0, "ncpus=8");
    submit(3, 0, "ncpus=8");
    assertEquals(2, cycle().starts().size());
    submit(4, 9, "ncpus=8");
    assertFalse(state.workDue());
    state.facts().gone(1);
    assertTrue(state.workDue());
    assertEquals("4:n1*1", text(cycle()));
  }

  @Test
  void theLimitOfWorkIsKeptAndSaid() {
    for (int i = 1; i <= 8; i++) {
      submit(i, -i, "ncpus=" + i);
    }
    CycleDecisions first = cycle(1);
    assertEquals("1:n1*1", text(first));
    assertTrue(first.work().limitHit());
    assertTrue(state.workDue());
    assertEquals("WORK_LIMIT", first.left().get(0).code());
    assertEquals("2:n1*1", text(cycle(1)));
  }

  @Test
  void aNodeThatIsOfferedToAnotherShardIsNotUsed() {
    state.facts().nodeOffered("n1", 3);
    submit(1, 0, "");
    submit(2, 0, "ncpus=7");
    assertEquals("1:n2*1 2:n2*1", text(cycle()));
    submit(3, 0, "ncpus=3");
    assertEquals("TOTAL_INSUFFICIENT", cycle().left().get(0).code());
    state.facts().nodeOffered("n1", -1);
    assertEquals("3:n1*1", text(cycle()));
  }

  @Test
  void aNodeWhoseChangeWasAgreedToIsNotUsedBeforeTheChange() {
    state.facts().nodeClosing("n1");
    submit(1, 0, "");
    assertEquals("1:n2*1", text(cycle()));
    submit(2, 0, "ncpus=8");
    assertEquals("", text(cycle()));
    state.facts().written(Records.object(ObjectKind.NODE, "n1", "comment", "back"));
    assertEquals("2:n1*1", text(cycle()));
  }

  @Test
  void aNodeThatIsDeletedAndMadeAgainIsNotUpUntilItSaysSo() {
    state.facts().deleted(ObjectKind.NODE, "n1");
    state.facts().deleted(ObjectKind.NODE, "n2");
    state.facts().written(Records.object(ObjectKind.NODE, "n1"));
    submit(1, 0, "");
    assertEquals("NO_NODES", cycle().left().get(0).code());
    state.facts().nodeUp("n1", "h1", Map.of("ncpus", 1L));
    assertEquals("1:n1*1", text(cycle()));
  }

  @Test
  void aReportOfLoadHasNobodyTriedAgain() {
    submit(1, 0, "ncpus=9");
    cycle();
    Map<String, Long> amounts = Map.of("ncpus", 8L, "mem", 4 * GB);
    state.facts().nodeUp("n1", "h1", amounts);
    assertFalse(state.workDue());
    state
        .facts()
        .nodeUp("n1", "h1", Map.of("ncpus", 8L, "mem", 4 * GB, "load.load_medium", 700_000L));
    assertFalse(state.workDue());
    state.facts().nodeUp("n1", "h1", amounts);
    assertFalse(state.workDue());
    state
        .facts()
        .nodeUp("n1", "h1", Map.of("ncpus", 9L, "mem", 4 * GB, "load.load_medium", 700_000L));
    assertEquals("1:n1*1", text(cycle()));
  }

  /** As one that is moved to another scheduler and back while its start is proposed. */
  @Test
  void aJobThatComesAgainLeavesNothingOfItsProposal() {
    submit(1, 0, "ncpus=8");
    assertEquals("1:n1*1", text(cycle()));
    submit(1, 0, "ncpus=8");
    assertEquals(0, state.answers().proposalsOpen());
    state.facts().gone(1);
    submit(2, 0, "ncpus=8");
    submit(3, 0, "ncpus=8");
    assertEquals("2:n1*1 3:n2*1", text(cycle()));
  }

  @Test
  void aWithdrawnProposalFreesItsNodes() {
    submit(1, 0, "ncpus=8");
    submit(2, 0, "ncpus=8");
    submit(3, -1, "ncpus=1");
    cycle();
    state.facts().withdraw(2);
    assertEquals("2:n2*1", text(cycle()));
    state
        .facts()
        .granted(
            1,
            Records.allocation(List.of(new NodeShare("n1", "h1", 1, Map.of("ncpus", 8L)))),
            NOW.toEpochMilli());
    state.facts().requeued(1);
    state.facts().holds(1, "u");
    assertEquals("3:n1*1", text(cycle()));
    assertEquals(3, state.waiting().jobCount());
  }

  @Test
  void aRunOfFewerChunksEndsWhenItsProposalSaid() {
    submit(1, 0, "select=2:ncpus=2,place=scatter,walltime=100");
    assertEquals("1:n1*1+n2*1", text(cycle()));
    // What is free from then on may have been promised to others.
    NodeShare one = new NodeShare("n1", "h1", 1, Map.of("ncpus", 2L));
    state.facts().granted(1, Records.allocation(List.of(one)), NOW.plusMillis(500).toEpochMilli());
    assertEquals(NOW.plusSeconds(100).toEpochMilli(), state.books().holdings().endMs(1));
  }

  @Test
  void reasonsAreToldOnceAndClearedOnce() {
    submit(1, 0, "ncpus=99");
    cycle();
    assertEquals(1, state.reasons().take(9).reasons().size());
    state.inputs().retryAll();
    cycle();
    assertFalse(state.reasons().hasChanges());
    state.facts().gone(1);
    assertEquals(List.of("workq;pack;1*ncpus=99;-"), state.reasons().take(9).cleared());
  }

  /** A run by qrun -H has a share for each chunk; this engine reads them from the node. */
  @Test
  void allThatARunHoldsOfANodeIsInUse() {
    Holding three = new Holding("1.vm", 1L, 1, Map.of("ncpus", 3L), 1, 0, false);
    Node node = Records.node("n1", "h1", 8, 4 * GB);
    state.facts().node(Node.newBuilder(node).setHoldings(List.of(three, three)).build());
    state.facts().node(Records.node("n2", "h2", 2, 4 * GB));
    submit(2, 0, "ncpus=3");
    assertTrue(cycle().starts().isEmpty());
    submit(3, 0, "ncpus=2");
    submit(4, 0, "ncpus=2");
    assertEquals(2, cycle().starts().size());
  }
}
