package io.millrace.connectors.local.run;

import io.millrace.connectors.local.run.RunNodes.NodeHost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Contexts of runs in tests, which start in their owner's home. */
public final class SomeContext {

  private SomeContext() {}

  /** Each line of the node file is a chunk of so many processors. */
  public static RunContext of(
      String jobName, String queue, Map<String, String> variables, List<String> lines, int ncpus) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    lines.forEach(it -> counts.merge(it, 1, Integer::sum));
    List<NodeHost> hosts = new ArrayList<>();
    counts.forEach(
        (name, count) -> hosts.add(new NodeHost(name, count, ncpus * count, 0, count, Map.of())));
    RunNodes nodes = new RunNodes(lines, hosts);
    return new RunContext(jobName, queue, variables, nodes, ncpus, RunContext.RunStart.HOME);
  }
}
