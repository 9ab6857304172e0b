package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.shard.TestShards;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which scheduler objects follow the files of a folder. */
class FollowedFolderTest {
  private static final String REFUSED = "Illegal attribute or resource value: policy_folder: ";

  private final TestShards shards = TestShards.threePartitions();

  private Reply set(String... attributes) {
    return shards.qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, "default", attributes);
  }

  private String attribute(String name) {
    return Context.attribute(PartitionTable.scheduler(shards.tables(0), "default"), name, "");
  }

  private Reply load(String folder) {
    String text = StoredPolicy.join(Map.of("sched_config", "by_queue: true\n"), "UTC");
    return set("policy=sched_config", "sched_config=" + text, "policy_folder=" + folder);
  }

  @Test
  void oneWithASchedConfigDoesUntilItHasAnotherPolicy() {
    assertEquals(
        REFUSED + "only where policy is sched_config are files of a folder followed",
        set("policy_folder=/etc/pbs").getLines().get(0));
    assertEquals(REFUSED + "it is no absolute path", load("etc/pbs").getLines().get(0));
    assertEquals(0, load("/etc/pbs").getCode());
    assertEquals(0, set("policy_problem=holidays:1: wrong").getCode());
    assertEquals("/etc/pbs", attribute("policy_folder"));
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "default", "policy", "sched_config");
    assertEquals("", attribute("policy_folder"));
    assertEquals("", attribute("policy_problem"));
  }

  @Test
  void aProblemEndsWithTheFolder() {
    assertEquals(0, load("/etc/pbs").getCode());
    assertEquals(0, set("policy_problem=holidays:1: wrong").getCode());
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "default", "policy_folder");
    assertEquals("", attribute("policy_problem"));
  }
}
