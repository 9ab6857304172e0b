package io.millrace.server.gateway.print;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of pbsnodes -S, and hosts that have several nodes. */
class NodeTablesTest {
  private static final List<ShownAttribute> FIRST =
      List.of(
          ShownAttribute.of("Mom", "vm"),
          ShownAttribute.of("state", "job-busy,offline"),
          ShownAttribute.of("jobs", "1.vm/0, 1.vm/1, 2[3].vm/2"),
          new ShownAttribute("resources_available", "host", "vm"),
          new ShownAttribute("resources_available", "mem", "2gb"),
          new ShownAttribute("resources_available", "ncpus", "8"),
          new ShownAttribute("resources_available", "vnode", "vm[0]"),
          new ShownAttribute("resources_assigned", "mem", "524288kb"),
          new ShownAttribute("resources_assigned", "ncpus", "3"),
          ShownAttribute.of("comment", "fan broken"));

  private static final List<ShownAttribute> SECOND =
      List.of(
          ShownAttribute.of("Mom", "vm"),
          ShownAttribute.of("state", "free"),
          new ShownAttribute("resources_available", "host", "vm"),
          new ShownAttribute("resources_available", "mem", "24684084kb"),
          new ShownAttribute("resources_available", "ncpus", "2"),
          new ShownAttribute("resources_available", "vnode", "vm[1]"),
          new ShownAttribute("resources_assigned", "mem", "0kb"),
          new ShownAttribute("resources_assigned", "ncpus", "0"));

  private static String row(boolean jobs, boolean whole) {
    NodeTables tables = new NodeTables(jobs, whole, "vm");
    return tables.row(new NodeTables.NodeRow("vm[0]", FIRST, 1));
  }

  @Test
  void sizesAreShortened() {
    assertEquals("2gb", SizeText.shortened(2, 3));
    assertEquals("24gb", SizeText.shortened(24684084, 1));
    assertEquals("0 b", SizeText.shortened(0, 0));
  }

  @Test
  void aRowHasWhatTheNodeHas() {
    assertEquals(
        "vm[0]           job-busy        --       --       vm              --          "
            + "    2gb       8       0       0 fan broken\n",
        row(false, false));
    assertEquals(
        "vm[0]           job-busy,offline --       --       vm              --          "
            + "    2gb       8       0       0 fan broken\n",
        row(false, true));
  }

  @Test
  void aRowHasWhoIsOnTheNode() {
    assertEquals(
        "vm[0]           job-busy             3     2      1      2gb/2gb     5/8     0/0     0/0"
            + " 1,2[3]\n",
        row(true, false));
    assertEquals(
        "vnode=vm[0]|state=job-busy|njobs=3|run=2|susp=1|mem(f/t)=2gb/2gb|ncpus(f/t)=5/8"
            + "|nmics(f/t)=0/0|ngpus(f/t)=0/0|jobs=1.vm,2[3].vm\n",
        new NodeTables(true, false, "vm")
            .separated(new NodeTables.NodeRow("vm[0]", FIRST, 1), "|"));
  }

  @Test
  void aHostHasWhatItsNodesHaveTogether() {
    StringBuilder out = new StringBuilder();
    Listing.wide(out, "", HostText.of(List.of(FIRST, SECOND)));
    assertEquals(
        """
        Mom = vm
        state = <various>
        jobs = 1.vm/0, 1.vm/1, 2[3].vm/2
        comment = fan broken
        resources_available.host = vm
        resources_available.mem = 26781236kb
        resources_available.ncpus = 10
        resources_available.vnode = <various>
        resources_assigned.mem = 524288kb
        resources_assigned.ncpus = 3
        """,
        out.toString());
  }

  @Test
  void attributesInJson() {
    StringBuilder out = new StringBuilder();
    Json json = new Json(out).open(null);
    NodeTables.attributes(json, "vm[0]", SECOND);
    json.close();
    assertEquals(
        true, out.toString().contains("\"resources_assigned\":\t{\n\t\t}"), out.toString());
  }
}
