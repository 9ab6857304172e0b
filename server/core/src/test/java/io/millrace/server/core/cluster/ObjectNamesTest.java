package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A name of a scheduler is a folder, too; a manager's must not lead out of ours. */
class ObjectNamesTest {
  private final TestShards shards = TestShards.initialised();

  private int create(ObjectKind kind, String name, String... pairs) {
    return shards.qmgr(ChangeOperation.CREATE, kind, name, pairs).getCode();
  }

  @Test
  void namesThatAreNoneAreRefused() {
    List<String> none =
        List.of(
            "",
            "\0",
            "a\0",
            "a/../../etc",
            "/",
            "a/",
            "a//b",
            "a/.",
            "..",
            "a b",
            "a\nb",
            "a,b",
            "-a");
    for (ObjectKind kind : List.of(ObjectKind.SCHEDULER, ObjectKind.QUEUE, ObjectKind.NODE)) {
      for (String name : none) {
        assertEquals(PbsError.INVALID_REQUEST.code(), create(kind, name), kind + " " + name);
      }
    }
    assertEquals(
        PbsError.INVALID_REQUEST.code(), create(ObjectKind.NODE, "n".repeat(256)), "too long");
  }

  @Test
  void namesOfTheFieldAreTaken() {
    assertEquals(0, create(ObjectKind.SCHEDULER, "s-1.x"));
    assertEquals(0, create(ObjectKind.SCHEDULER, "a/b"));
    assertEquals(PbsError.INVALID_REQUEST.code(), create(ObjectKind.QUEUE, "a/b"));
    assertEquals(0, create(ObjectKind.QUEUE, "long_q"));
    for (String node : List.of("n0", "7.example.org", "vm[3]", "a-b.c")) {
      assertEquals(0, create(ObjectKind.NODE, node), node);
    }
  }
}
