package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.ops.installation.Installation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Placement sets from the command line, on nodes of a queue of their own. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrsets", site = "second")
class PlacementSetIT {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final List<String> NODES = List.of("psa1", "psa2", "psa3", "psb1", "psb2");

  private Site site;
  private Account user;
  private Path work;

  @BeforeAll
  void begin(Site shared, Account its) throws Exception {
    site = shared;
    user = its;
    work = site.folderOf(user, "work");
    site.qmgr("create resource psw type=string_array,flag=h");
    site.qmgr("create queue sets queue_type=e,enabled=t,started=t,kill_delay=4");
    for (String node : NODES) {
      site.qmgr("create node " + node + " Mom=" + Installation.host(1));
      site.qmgr("set node " + node + " resources_available.ncpus=2");
      site.qmgr("set node " + node + " resources_available.psw=" + node.charAt(2));
      site.qmgr("set node " + node + " queue=sets");
    }
    site.qmgr("set queue sets node_group_key=psw");
    site.qmgr("set server node_group_enable=True");
  }

  @AfterAll
  void undo() throws Exception {
    deleteAll();
    site.qmgr("unset sched default do_not_span_psets");
    site.qmgr("unset server node_group_enable");
    for (String node : NODES) { // the queue is busy while nodes are bound to it
      site.qmgr("delete node " + node);
    }
    site.qmgr("delete queue sets");
    site.qmgr("delete resource psw");
  }

  private String submit(String select) throws Exception {
    String line = "qsub -q sets -l select=" + select + " -- /bin/sleep 600";
    return site.run(user, work, line).must().strip();
  }

  private void runs(String job, String nodes) throws Exception {
    site.awaitState(job, "R");
    assertEquals(nodes, site.job(job).path("exec_vnode").asText());
  }

  private void waits(String job, String comment) throws Exception {
    Site.await(SOON, comment, () -> site.told("qstat -f -F json " + job).contains(comment));
    assertEquals("Q", site.state(job));
  }

  @Test
  void jobsLieInTheSmallestSetThatFits() throws Exception {
    site.qmgr("set sched default do_not_span_psets=True");
    String large = submit("4:ncpus=2");
    waits(large, "Can Never Run: can't fit in the largest placement set, and can't span psets");
    assertTrue(site.run("why " + large).out().contains("psw"), site.run("why " + large).toString());
    site.run(user, work, "qdel " + large).must();
    runs(submit("2:ncpus=2"), "(psb1:ncpus=2)+(psb2:ncpus=2)");
    String one = submit("1:ncpus=2");
    runs(one, "(psa1:ncpus=2)");
    String three = submit("2:ncpus=2+1:ncpus=1");
    waits(three, "Not Running: ");
    site.run(user, work, "qdel " + one).must();
    runs(three, "(psa1:ncpus=2)+(psa2:ncpus=2)+(psa3:ncpus=1)");
  }

  private void deleteAll() throws Exception {
    site.run("qdel -W force $(qselect -q sets)");
    Site.await(SOON, "the queue is empty", () -> site.told("qselect -q sets").isEmpty());
  }

  private String promised(String job) throws Exception {
    return site.told("qstat -f " + job + " | grep estimated.exec_vnode").strip();
  }

  /** The first job that waits is to have the set whose nodes are free first. */
  @Test
  void aPromiseShowsItsNodesUntilItIsKept() throws Exception {
    deleteAll();
    site.qmgr("set sched default policy=easy");
    try {
      runs(submit("3:ncpus=2 -l walltime=1:00:00"), "(psa1:ncpus=2)+(psa2:ncpus=2)+(psa3:ncpus=2)");
      String shorter = submit("2:ncpus=2 -l walltime=0:30:00");
      runs(shorter, "(psb1:ncpus=2)+(psb2:ncpus=2)");
      String first = submit("2:ncpus=2 -l walltime=0:10:00");
      String line = "estimated.exec_vnode = (psb1:ncpus=2)+(psb2:ncpus=2)";
      Site.await(SOON, line, () -> promised(first).equals(line));
      JsonNode estimated = site.job(first).path("estimated");
      assertEquals("(psb1:ncpus=2)+(psb2:ncpus=2)", estimated.path("exec_vnode").asText());
      assertTrue(!estimated.path("start_time").asText().isEmpty(), estimated.toString());
      String second = submit("2:ncpus=2 -l walltime=0:10:00");
      assertEquals("", promised(second));
      site.run(user, work, "qdel " + shorter).must();
      runs(first, "(psb1:ncpus=2)+(psb2:ncpus=2)");
      assertEquals("", promised(first));
      Site.await(SOON, line, () -> promised(second).equals(line));
    } finally {
      site.qmgr("unset sched default policy");
    }
  }

  @Test
  void keysAreCheckedAndPrinted() throws Exception {
    Shell.Answer unknown = site.run("qmgr -c 'set queue sets node_group_key=nosuch'");
    assertTrue(unknown.err().contains("Unknown resource node_group_key"), unknown.toString());
    Shell.Answer number = site.run("qmgr -c 'set server node_group_key=ncpus'");
    assertTrue(
        number.err().contains("Resource is not of type string or array_of_strings node_group_key"),
        number.toString());
    assertTrue(site.qmgr("print queue sets").contains("set queue sets node_group_key = psw\n"));
    assertTrue(site.qmgr("print server").contains("set server node_group_enable = True\n"));
  }
}
