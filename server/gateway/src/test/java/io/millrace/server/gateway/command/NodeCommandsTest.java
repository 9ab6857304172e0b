package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Node;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes as {@code pbsnodes} shows and changes them. */
class NodeCommandsTest extends CommandsFixture {
  private void node() {
    site.put(ObjectKind.NODE, "n1", "Mom", "n1", "partition", "P1");
    Node node = new Node();
    node.setName("n1");
    node.setHost("n1");
    node.setUp(true);
    node.setBootId("b");
    node.setMeasured(Map.of("ncpus", 8L, "mem", 2L << 30));
    node.setHoldings(List.of());
    node.setSuspended(List.of());
    node.setStateSinceMs(Jobs.SUBMITTED_MS);
    node.setOfferedTo(-1);
    node.setDownWhy("");
    site.nodes.add(node);
  }

  @Test
  void nodesAreShownInPbsForm() throws Exception {
    node();
    String expected =
        """
        n1
             Mom = n1
             ntype = PBS
             state = free
             resources_available.arch = linux
             resources_available.host = n1
             resources_available.mem = 2gb
             resources_available.ncpus = 8
             resources_available.vnode = n1
             resources_assigned.mem = 0kb
             resources_assigned.ncpus = 0
             resv_enable = True
             sharing = default_shared
             partition = P1
             last_state_change_time = Fri Nov 20 15:35:54 2026

        """;
    assertEquals(expected, site.run("pbsu1", "pbsnodes", "-a").output());
    assertEquals(expected, site.run("pbsu1", "pbsnodes", "-v", "n1").output());
    FakeInvocation unknown = site.run("pbsu1", "pbsnodes", "nosuch");
    assertEquals("Node: nosuch,  Error: Unknown node \n", unknown.errors());
    FakeInvocation elsewhere = site.run("pbsu1", "pbsnodes", "-s", "nosuch", "-a");
    assertEquals(
        "Unknown Host.\npbsnodes: cannot connect to server nosuch, error=15008\n",
        elsewhere.errors());
    assertEquals(1, site.status);
    elsewhere = site.run("pbsu1", "pbsnodes", "-s", "nosuch", "-aq");
    assertEquals("Unknown Host.\n", elsewhere.errors());
    assertEquals(1, site.status);
  }

  @Test
  void whoIsAloneOnANodeIsSeenInItsState() throws Exception {
    node();
    held(true, 1L);
    String all = site.run("pbsu1", "pbsnodes", "-a").output();
    assertTrue(all.contains("\n     state = job-exclusive\n     jobs = 1.vm/0\n"), all);
    String listed = site.run("root", "qmgr", "-c", "list node n1").output();
    assertTrue(listed.contains("\n    state = job-exclusive\n"), listed);
    String row = site.run("pbsu1", "pbsnodes", "-aS").output();
    assertTrue(row.contains("\nn1              job-exclusive   "), row);
    String json = site.run("pbsu1", "pbsnodes", "-a", "-F", "json").output();
    assertTrue(json.contains("\"state\":\t\"job-exclusive\""), json);
    assertEquals("", site.run("root", "pbsnodes", "-l").output(), "it is no fault of a node");
    held(true, 8L);
    String full = site.run("pbsu1", "pbsnodes", "n1").output();
    assertTrue(full.contains(" state = job-exclusive\n"), full);
    held(false, 8L);
    String busy = site.run("pbsu1", "pbsnodes", "n1").output();
    assertTrue(busy.contains(" state = job-busy\n"), busy);
    held(false, 2L);
    String two = site.run("pbsu1", "pbsnodes", "n1").output();
    assertTrue(two.contains(" jobs = 1.vm/0, 1.vm/1\n"), two);
    site.put(ObjectKind.NODE, "n1", "Mom", "n1", "state", "offline");
    held(true, 1L);
    assertEquals(
        "n1                   offline,job-exclusive\n",
        site.run("root", "pbsnodes", "-l").output());
    held(false, 1L);
    assertEquals("n1                   offline\n", site.run("root", "pbsnodes", "-l").output());
  }

  @Test
  void nodesAreTakenOutOfUse() throws Exception {
    node();
    site.run("root", "pbsnodes", "-o", "-C", "fan broken", "n1");
    ChangeObject change = (ChangeObject) sent(0);
    assertEquals("offline", change.getAttributes().get(0).getValue());
    assertEquals("fan broken", change.getAttributes().get(1).getValue());
    site.put(ObjectKind.NODE, "n1", "Mom", "n1", "state", "offline", "comment", "fan broken");
    assertEquals(
        "n1                   offline fan broken\n", site.run("root", "pbsnodes", "-l").output());
    site.refuse(15007, "Unauthorized Request ");
    FakeInvocation refused = site.run("pbsu1", "pbsnodes", "-r", "n1");
    assertEquals("Error marking node n1 - Unauthorized Request \n", refused.errors());
    assertEquals(1, site.status);
  }

  @Test
  void aNodeTellsWhenARunOnItEnded() throws Exception {
    node();
    assertFalse(site.run("pbsu1", "pbsnodes", "n1").output().contains("last_used_time"));
    site.nodes.get(0).setLastUsedMs(Jobs.SUBMITTED_MS);
    assertTrue(
        site.run("pbsu1", "pbsnodes", "n1")
            .output()
            .contains("     last_used_time = Fri Nov 20 15:35:54 2026\n"));
  }
}
