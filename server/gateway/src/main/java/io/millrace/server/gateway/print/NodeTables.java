package io.millrace.server.gateway.print;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Node;
import io.millrace.server.gateway.link.ClusterView;

/** The table of pbsnodes -S, one row per node. */
public final class NodeTables {

  /** Head of the table. */
  public static final String HEAD =
      """
      vnode           state           OS       hardware host            queue        mem     ncpus   nmics   ngpus  comment
      --------------- --------------- -------- -------- --------------- ---------- -------- ------- ------- ------- ---------
      """;

  private static final int MEMORY_WIDTH = 8;

  private NodeTables() {}

  /** A row with what the node has when nothing runs. */
  public static String row(ClusterObject node, Node run, ObjectText text) {
    return String.format(
        "%-15s %-15s %-8s %-8s %-15s %-10s %8s %7s %7s %7s %s\n",
        JobTables.cut(node.getName(), 15),
        JobTables.cut(text.nodeState(node, run), 15),
        "--",
        "--",
        JobTables.cut(run.getHost(), 15),
        ClusterView.attribute(node, "queue").orElse("--"),
        shortened(text.available(node, run, "mem")[1]),
        text.available(node, run, "ncpus")[1],
        "0",
        text.available(node, run, "ngpus")[1],
        ClusterView.attribute(node, "comment").orElse("--"));
  }

  /** A size in a larger unit, rounded down, where it does not fit the column. */
  static String shortened(String size) {
    String[] units = {"kb", "mb", "gb", "tb"};
    String shown = size;
    for (int i = 0; i + 1 < units.length && shown.length() > MEMORY_WIDTH; i++) {
      if (shown.endsWith(units[i])) {
        long amount = Long.parseLong(shown.substring(0, shown.length() - 2));
        shown = amount / 1024 + units[i + 1];
      }
    }
    return shown;
  }
}
