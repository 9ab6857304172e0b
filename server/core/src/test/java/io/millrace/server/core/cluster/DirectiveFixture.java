package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.Objects;

/** Directives to a cluster of a few shards. */
abstract class DirectiveFixture {
  static final ChangeOperation CREATE = ChangeOperation.CREATE;
  static final ChangeOperation DELETE = ChangeOperation.DELETE;
  static final ChangeOperation SET = ChangeOperation.SET;
  static final ChangeOperation UNSET = ChangeOperation.UNSET;
  static final ObjectKind SERVER = ObjectKind.SERVER;
  static final ObjectKind QUEUE = ObjectKind.QUEUE;
  static final ObjectKind NODE = ObjectKind.NODE;
  static final ObjectKind SCHED = ObjectKind.SCHEDULER;
  static final ObjectKind RESOURCE = ObjectKind.RESOURCE;

  final TestShards shards = TestShards.initialised();

  void refused(String answer, ChangeOperation how, ObjectKind kind, String name, String... pairs) {
    Reply reply = shards.qmgr(how, kind, name, pairs);
    assertEquals(answer, reply.getCode() + " " + String.join("", reply.getLines()));
  }

  String get(ObjectKind kind, String name, String attribute) {
    String first = null;
    for (int i = 0; i < TestShards.COUNT; i++) {
      ClusterObject object = shards.tables(i).objects().get(Keys.object(kind, name));
      String value = Context.attribute(object, attribute, null);
      assertTrue(i == 0 || Objects.equals(first, value), "shard " + i + " has " + value);
      first = value;
    }
    return first;
  }

  boolean exists(ObjectKind kind, String name) {
    return shards.tables(3).objects().get(Keys.object(kind, name)) != null;
  }
}
