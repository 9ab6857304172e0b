package io.millrace.server.core.cluster;

import static io.millrace.schemas.command.ChangeOperation.CREATE;
import static io.millrace.schemas.command.ChangeOperation.DELETE;
import static io.millrace.schemas.command.ChangeOperation.SET;
import static io.millrace.schemas.command.ChangeOperation.UNSET;
import static io.millrace.schemas.common.ObjectKind.NODE;
import static io.millrace.schemas.common.ObjectKind.QUEUE;
import static io.millrace.schemas.common.ObjectKind.SCHEDULER;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Partitions of queues, nodes and schedulers, as OpenPBS's own tests have them. */
class PartitionRulesTest {
  private final TestShards shards = TestShards.initialised();

  private void refused(
      String expected, ChangeOperation operation, ObjectKind kind, String name, String... edits) {
    Reply reply = shards.qmgr(operation, kind, name, edits);
    assertEquals(expected, reply.getCode() + " " + String.join("", reply.getLines()));
  }

  private String partition(ObjectKind kind, String name) {
    return Context.attribute(
        shards.tables(0).objects().get(Keys.object(kind, name)), "partition", "");
  }

  @Test
  void queuesAndNodesAreGivenAPartitionAndLoseIt() {
    shards.must(CREATE, QUEUE, "q1", "queue_type=execution", "partition=P1");
    shards.must(CREATE, NODE, "n1", "Mom=n1");
    shards.must(SET, NODE, "n1", "partition=P1");
    for (int i = 0; i < 2; i++) {
      shards.must(SET, QUEUE, "q1", "partition=P2");
      shards.must(SET, NODE, "n1", "partition=P2");
      assertEquals("P2", partition(QUEUE, "q1"));
      assertEquals("P2", partition(NODE, "n1"));
    }
    shards.must(UNSET, QUEUE, "q1", "partition");
    shards.must(UNSET, NODE, "n1", "partition");
    assertEquals("", partition(QUEUE, "q1"));
    assertEquals("", partition(NODE, "n1"));
  }

  @Test
  void thereAreNoMorePartitionsThanTheStateIsMeantFor() {
    shards.must(CREATE, NODE, "n1", "Mom=n1");
    String names =
        IntStream.rangeClosed(1, Partitions.PARTITIONS_MAX - 1)
            .mapToObj(i -> "P" + i)
            .collect(Collectors.joining(","));
    String full = "15014 Illegal attribute or resource value: there are 1000 partitions, the most";
    shards.must(CREATE, SCHEDULER, "s1");
    refused(full, SET, SCHEDULER, "s1", "partition=" + names + ",Q1,Q2");
    assertEquals("", partition(SCHEDULER, "s1"));
    shards.must(SET, SCHEDULER, "s1", "partition=" + names);
    refused(full, SET, NODE, "n1", "partition=Q2");
    refused(full, CREATE, QUEUE, "q2", "queue_type=execution", "partition=Q2");
    shards.must(SET, NODE, "n1", "partition=P2");
  }

  @Test
  void usersDoNotSayWhichPartitionAndOperatorsDoOfNodes() {
    shards.must(CREATE, QUEUE, "q1", "queue_type=execution", "partition=P1");
    shards.must(CREATE, NODE, "n1", "Mom=n1", "partition=P1");
    for (ObjectKind kind : List.of(QUEUE, NODE)) {
      String name = kind == QUEUE ? "q1" : "n1";
      assertEquals(
          15007, shards.code(0, Calls.change(shards.user("ann"), SET, kind, name, "partition=P2")));
      assertEquals(
          15007, shards.code(0, Calls.change(shards.user("ann"), UNSET, kind, name, "partition")));
      assertEquals("P1", partition(kind, name));
    }
    assertEquals(
        15003, shards.code(0, Calls.change(shards.operator(), SET, QUEUE, "q1", "partition=P2")));
    assertEquals(
        0, shards.code(0, Calls.change(shards.operator(), SET, NODE, "n1", "partition=P2")));
    assertEquals("P2", partition(NODE, "n1"));
  }

  @Test
  void operatorsNeitherMakeNorChangeSchedulers() {
    shards.must(CREATE, SCHEDULER, "s1");
    assertEquals(15007, shards.code(0, Calls.change(shards.operator(), CREATE, SCHEDULER, "s2")));
    assertEquals(15007, shards.code(0, Calls.change(shards.operator(), DELETE, SCHEDULER, "s1")));
    assertEquals(
        15003,
        shards.code(
            0, Calls.change(shards.operator(), SET, SCHEDULER, "s1", "scheduler_iteration=5")));
    shards.must(SET, SCHEDULER, "s1", "scheduler_iteration=5");
    shards.must(DELETE, SCHEDULER, "s1");
  }

  @Test
  void aRoutingQueueHasNone() {
    refused(
        "15218 Route queues are incompatible with the partition attribute partition",
        CREATE,
        QUEUE,
        "r1",
        "queue_type=route",
        "partition=P1");
    shards.must(CREATE, QUEUE, "r1", "queue_type=route");
    refused("15217 Cannot assign a partition to route queue", SET, QUEUE, "r1", "partition=P1");
    shards.must(CREATE, QUEUE, "q1", "queue_type=execution", "partition=P1");
    refused(
        "15218 Route queues are incompatible with the partition attribute queue_type",
        SET,
        QUEUE,
        "q1",
        "queue_type=route");
  }

  @Test
  void aQueueNeedsNoTypeForIt() {
    shards.must(CREATE, QUEUE, "q1", "partition=P1");
    shards.must(SET, QUEUE, "q1", "partition=P2");
    shards.must(SET, QUEUE, "q1", "queue_type=execution");
    assertEquals("P2", partition(QUEUE, "q1"));
  }
}
