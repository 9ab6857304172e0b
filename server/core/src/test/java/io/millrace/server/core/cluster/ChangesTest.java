package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ChangeClosed;
import io.millrace.schemas.fact.ChangeOpened;
import io.millrace.schemas.fact.ChangeQueued;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The line of changes: one at a time, told about delays, answered once. */
class ChangesTest {
  private final TestShards shards = TestShards.threePartitions();

  private ChangeObject create(String queue) {
    return Calls.change(shards.manager(), ChangeOperation.CREATE, ObjectKind.QUEUE, queue);
  }

  private List<String> told(ChangeObject command) {
    return shards.replies(command.getMeta()).stream()
        .map(r -> (r.getInterim() ? "interim " : "") + r.getCode() + r.getLines())
        .toList();
  }

  @Test
  void throughAnyShardAndInOrder() {
    List<ChangeObject> commands = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      commands.add(create("q" + i));
      shards.send(i % 2 == 0 ? 0 : 2, commands.get(i));
    }
    shards.run();
    commands.forEach(c -> assertEquals(List.of("0[]"), told(c)));
    List<Long> numbers =
        shards.facts(0, ChangeClosed.class).stream().map(ChangeClosed::getNumber).toList();
    assertEquals(numbers.stream().sorted().toList(), numbers);
    assertEquals(new HashSet<>(numbers).size(), numbers.size());
  }

  private ChangeObject node(String name, String... attributes) {
    return Calls.change(
        shards.manager(), ChangeOperation.CREATE, ObjectKind.NODE, name, attributes);
  }

  @Test
  void newNodesOfOneListAreOneChangeAndEachIsAnswered() {
    shards.silence(3, true);
    ChangeObject queue = create("q1");
    List<ChangeObject> nodes = new ArrayList<>();
    for (String name : List.of("n1", "n2", "n3", "n1", "n4", "n5")) {
      nodes.add(node(name, "partition=pnew"));
    }
    ChangeObject other = node("n6", "partition=pother");
    shards.ask(0, queue);
    nodes.forEach(each -> shards.ask(0, each));
    shards.ask(0, other);
    shards.silence(3, false);
    shards.run();
    for (ChangeObject each : nodes) {
      String expected = each == nodes.get(3) ? "15066" : "0[]";
      assertEquals(1, told(each).size(), each.getName());
      assertTrue(told(each).get(0).startsWith(expected), told(each).toString());
    }
    assertEquals(List.of("0[]"), told(other));
    List<List<String>> written =
        shards.facts(0, ChangeOpened.class).stream()
            .map(it -> it.getChange().getObjects().stream().map(ClusterObject::getName).toList())
            .filter(names -> names.stream().anyMatch(name -> name.matches("n[1-9]")))
            .toList();
    assertEquals(
        List.of(List.of("pnew", "n1", "n2", "n3"), List.of("n4", "n5"), List.of("pother", "n6")),
        written);
    List<Long> created = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      for (int shard = 0; shard < 4; shard++) {
        assertNotNull(PartitionTable.node(shards.tables(shard), "n" + i), "n" + i);
      }
      created.add(PartitionTable.node(shards.tables(2), "n" + i).getCreated());
    }
    assertEquals(created.stream().distinct().sorted().toList(), created, "in the list's order");
    shards.tables(0).changes().scan("", null, (key, change) -> fail(key));
  }

  @Test
  void aSilentShardIsToldOfEachNodeOfAList() {
    shards.silence(3, true);
    ChangeObject queue = create("q1");
    shards.ask(0, queue);
    List<ChangeObject> nodes = List.of(node("n1"), node("n2"), node("n3"));
    nodes.forEach(each -> shards.ask(0, each));
    shards.silence(3, false);
    shards.silence(2, true);
    shards.run();
    shards.pass(40_000);
    for (ChangeObject each : nodes) {
      assertEquals(2, told(each).size(), told(each).toString());
    }
    shards.silence(2, false);
    shards.run();
    for (ChangeObject each : nodes) {
      assertEquals(2, told(each).size(), "nobody is answered twice");
      assertNotNull(PartitionTable.node(shards.tables(2), each.getName()));
    }
    ChangeObject after = create("q2");
    shards.ask(0, after);
    shards.run();
    assertEquals(List.of("0[]"), told(after), "the line is empty");
  }

  @Test
  void aRepeatedDirectiveIsCarriedOutOnce() {
    shards.silence(3, true);
    ChangeObject first = create("q1");
    ChangeObject second = create("q2");
    for (ChangeObject command : List.of(first, first, second, second, first)) {
      shards.ask(0, command);
    }
    assertEquals(1, shards.facts(ChangeQueued.class).size());
    shards.silence(3, false);
    shards.run();
    assertEquals(List.of("0[]"), told(first));
    assertEquals(List.of("0[]"), told(second));
    shards.ask(0, first);
    assertEquals(List.of("0[]", "0[]"), told(first));
  }

  @Test
  void aChangeThatCannotBeReckonedDoesNotHoldUpTheLine() {
    String workq = Keys.object(ObjectKind.QUEUE, "workq");
    ClusterObject damaged = shards.tables(0).objects().get(workq);
    damaged.getAttributes().add(new Attribute("kill_delay", "many"));
    shards.tables(0).objects().put(workq, damaged);
    shards.silence(3, true);
    ChangeObject open = create("q1");
    ChangeObject impossible =
        Calls.change(
            shards.manager(), ChangeOperation.SET, ObjectKind.QUEUE, "workq", "kill_delay+=5");
    ChangeObject behind = create("q2");
    for (ChangeObject command : List.of(open, impossible, behind)) {
      shards.ask(0, command);
    }
    assertEquals(2, shards.facts(ChangeQueued.class).size());
    shards.silence(3, false);
    shards.run();
    assertEquals(List.of("0[]"), told(open));
    String incident = Keys.incident(impossible.getMeta());
    assertEquals(List.of("15012[Internal error, incident " + incident + "]"), told(impossible));
    assertEquals(List.of("0[]"), told(behind));
  }

  @Test
  void aSilentShardDelaysAndDoesNotKeepAnybodyWaitingForEver() {
    shards.silence(2, true);
    ChangeObject open = create("q1");
    shards.ask(0, open);
    shards.pass(1_000);
    ChangeObject inLine = create("q2");
    shards.ask(0, inLine);
    shards.pass(3_000);
    assertEquals(List.of(), told(open));
    shards.pass(2_000);
    String interim = "interim 0[waiting: shard [2] is busy or has no owner]";
    assertEquals(List.of(interim), told(open));
    assertEquals(List.of(interim), told(inLine), "who waits in line is told, too");
    shards.pass(25_000);
    String released =
        "15010[System error: shard [2] is busy or has no owner; the change is recorded and is"
            + " applied when it answers]";
    assertEquals(List.of(interim, released), told(open));
    assertEquals(List.of(interim, released), told(inLine));
    shards.silence(2, false);
    shards.run();
    assertEquals(List.of(interim, released), told(open), "nobody is answered twice");
    assertEquals(List.of(interim, released), told(inLine));
    for (String queue : List.of("q1", "q2")) {
      assertNotNull(PartitionTable.queue(shards.tables(2), queue), queue);
    }
  }

  @Test
  void aShardThatComesBackInTimeLetsTheChangeEndWell() {
    shards.silence(2, true);
    ChangeObject open = create("q1");
    shards.ask(0, open);
    shards.pass(10_000);
    shards.silence(2, false);
    shards.run();
    assertEquals(
        List.of("interim 0[waiting: shard [2] is busy or has no owner]", "0[]"), told(open));
    shards.pass(60_000);
    assertEquals(2, told(open).size());
  }

  @Test
  void aRefusedDirectiveLetsTheNextOneComeUp() {
    shards.silence(3, true);
    shards.ask(0, create("q1"));
    ChangeObject wrong = create("q1");
    shards.ask(0, wrong);
    ChangeObject last = create("q3");
    shards.ask(0, last);
    shards.silence(3, false);
    shards.run();
    assertEquals(List.of("15025[Queue already exists]"), told(wrong));
    assertEquals(List.of("0[]"), told(last));
  }

  @Test
  void betweenConsentAndDeletionAQueueTakesNoJobsAndARefusalOpensItAgain() {
    shards.queue("q", "pwest");
    String running = shards.submit(Calls.job("ann", "q", 1));
    shards.grant(running, "ws", "w0", 1);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "q", "partition=peast");
    int east = shards.shardOfQueue("q");
    int west = shards.where(running);
    assertNotEquals(east, west);
    shards.silence(west, true);
    ChangeObject delete =
        Calls.change(shards.manager(), ChangeOperation.DELETE, ObjectKind.QUEUE, "q");
    shards.ask(0, delete);
    assertTrue(shards.tables(east).queues().get("q").getClosing());
    SubmitJobs submit = Calls.submit(shards.user("ann"), List.of(), Calls.job("ann", "q", 1));
    assertEquals(15018, shards.code(0, submit));
    String job = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(15018, shards.code(0, Calls.move(shards.user("ann"), job, "q")));
    shards.silence(west, false);
    shards.run();
    assertEquals(15027, shards.answer(delete.getMeta()).getCode());
    assertFalse(shards.tables(east).queues().get("q").getClosing());
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), job, "q")));
  }

  /** n0 is on its way from shard 0 to the east shard, which has no owner. */
  private int travelling() {
    int east = shards.shardOfQueue("east");
    ChangeObject move =
        Calls.change(
            shards.manager(), ChangeOperation.SET, ObjectKind.NODE, "n0", "partition=peast");
    shards.send(0, move);
    while (shards.answer(move.getMeta()) == null) {
      for (int i = 0; i < TestShards.COUNT; i++) {
        shards.step(i);
      }
    }
    shards.silence(east, true);
    shards.run();
    assertEquals(east, shards.node("n0").get(0).getOfferedTo());
    return east;
  }

  private ChangeObject deletion() {
    return Calls.change(shards.manager(), ChangeOperation.DELETE, ObjectKind.NODE, "n0");
  }

  @Test
  void aDeletionWaitsForANodeThatIsOnItsWay() {
    int east = travelling();
    ChangeObject delete = deletion();
    shards.send(0, delete);
    for (int i = 0; i < 100; i++) {
      shards.step(0);
    }
    assertNull(shards.answer(delete.getMeta()));
    shards.silence(east, false);
    shards.run();
    assertEquals(0, shards.answer(delete.getMeta()).getCode());
    assertEquals(Map.of(), shards.node("n0"));
  }

  @Test
  void andIsRefusedWhenTheNodeDoesNotArriveInTenSeconds() {
    int east = travelling();
    ChangeObject delete = deletion();
    shards.ask(0, delete);
    assertEquals(0, shards.waiting(0), "nothing goes round");
    shards.pass(9_000);
    assertNull(shards.answer(delete.getMeta()));
    shards.pass(1_000);
    assertEquals(15227, shards.answer(delete.getMeta()).getCode());
    shards.silence(east, false);
    shards.run();
    assertEquals(Set.of(east), shards.node("n0").keySet());
    assertEquals(-1, shards.node("n0").get(east).getOfferedTo());
  }

  @Test
  void aFullLineRefuses() {
    shards.silence(3, true);
    for (int i = 0; i < Changes.WAITING_MAX; i++) {
      shards.send(0, create("q" + i));
    }
    shards.run();
    assertEquals(PbsError.SERVER_BUSY.code(), shards.code(0, create("late")));
  }
}
