package io.millrace.connectors.local.run;

import java.util.List;
import java.util.Map;

/**
 * The nodes of a run.
 *
 * @param lines of the node file: a host name for each chunk or MPI process
 * @param hosts what it has of each host, the one of its script first
 */
public record RunNodes(List<String> lines, List<NodeHost> hosts) {

  /**
   * What a run has of one host.
   *
   * @param lines of the node file that name it
   * @param ncpus of all chunks that lie there
   * @param memKb memory of all of them; 0 where none was asked for
   * @param amounts all that was set aside there for the run and its tasks, by resource, in whole
   *     units and sizes in bytes
   */
  public record NodeHost(
      String name, int lines, int ncpus, long memKb, int chunks, Map<String, Long> amounts) {

    public NodeHost {
      amounts = Map.copyOf(amounts);
    }
  }

  public RunNodes {
    lines = List.copyOf(lines);
    hosts = List.copyOf(hosts);
  }
}
