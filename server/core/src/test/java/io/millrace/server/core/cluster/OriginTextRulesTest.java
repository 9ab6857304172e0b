package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.shard.TestShards;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What shards read from the texts of an Origin2000 scheduler stands in attributes. */
class OriginTextRulesTest {
  private static final String ON = "ENFORCE_DEDICATED_TIME True\n";
  private static final String COMMAND = "DEDICATED_TIME_COMMAND /opt/times\n";
  private static final String QUEUES =
      "SUBMIT_QUEUE s@nowhere\nBATCH_QUEUES b1@h1.site,b2\nDEDICATED_QUEUES d1@h1.site\n";

  private final TestShards shards = TestShards.threePartitions();

  private Reply load(String config) {
    return shards.qmgr(
        ChangeOperation.SET,
        ObjectKind.SCHEDULER,
        "default",
        "policy=origin2000",
        "origin2000==== host\nHome.site\n=== config\n" + config);
  }

  private String attribute(String name) {
    return Context.attribute(PartitionTable.scheduler(shards.tables(0), "default"), name, "");
  }

  @Test
  void theProgramIsAskedForEachHostWithQueuesAndForTheSystem() {
    String more = "SYSTEM_NAME Origin\nDEDICATED_TIME_CACHE_SECS 300\n";
    assertEquals(0, load(QUEUES + "BATCH_QUEUES b3@h3 # too\n" + ON + COMMAND + more).getCode());
    assertEquals(
        "dedicated_time:h1 TEXT 300 /opt/times h1\ndedicated_time:h3 TEXT 300 /opt/times h3\n"
            + "dedicated_time:home TEXT 300 /opt/times home\n"
            + "dedicated_time:origin TEXT 300 /opt/times origin",
        attribute("policy_inputs_from"));
    assertEquals(0, load(QUEUES + "ENFORCE_DEDICATED_TIME off\n" + COMMAND).getCode());
    assertEquals("", attribute("policy_inputs_from"));
    assertEquals(0, load(QUEUES + ON + COMMAND).getCode());
    assertTrue(attribute("policy_inputs_from").startsWith("dedicated_time:h1 TEXT 0 "));
    Reply left = shards.qmgr(ChangeOperation.SET, ObjectKind.SCHEDULER, "default", "policy=fifo");
    assertEquals(0, left.getCode());
    assertEquals("", attribute("policy_inputs_from"), "another policy has none");
  }

  @Test
  void moreProgramsThanMayBeAskedAreRefused() {
    String many =
        IntStream.range(0, 51)
            .mapToObj(it -> "b" + it + "@h" + it)
            .collect(Collectors.joining(","));
    Reply refused = load("SUBMIT_QUEUE s\nBATCH_QUEUES " + many + "\n" + ON + COMMAND);
    assertNotEquals(0, refused.getCode());
    assertTrue(String.join(" ", refused.getLines()).contains("51 names where at most 50"));
  }

  @Test
  void usageFadesByTheFactorOfTheText() {
    assertEquals(0, load(QUEUES + "DECAY_FACTOR 0.5\n").getCode());
    assertEquals("0.5", attribute("fairshare_decay_factor"));
    assertEquals("86400", attribute("fairshare_decay_time"));
    assertEquals(0, load(QUEUES).getCode());
    assertEquals("0.75", attribute("fairshare_decay_factor"));
    assertEquals(0, load(QUEUES + "DECAY_FACTOR 0\n").getCode());
    assertEquals("1.0E-12", attribute("fairshare_decay_factor"), "nothing that counts is left");
  }
}
