package io.millrace.ops.outside.peer;

import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A batch system that can be started on this machine. */
public enum PeerCluster {
  SLURM(
      "slurm",
      "c1",
      Path.of("/var/spool/millrace-slurm/jobcomp"),
      List.of(
          "cluster_name = hand",
          "accounting = /var/spool/millrace-slurm/jobcomp",
          "starts = /var/spool/millrace-slurm/starts")),

  GRID_ENGINE(
      "gridengine",
      "c2",
      Path.of("/var/lib/gridengine/default/common/accounting"),
      List.of(
          "sge_root = /var/lib/gridengine",
          "parallel_environment = mrsmp",
          "parallel_environment_hosts = mrpe.%",
          "reporting = /var/lib/gridengine/default/common/reporting"));

  /** An ordinary account that its script makes. */
  public static final String ACCOUNT = "mralice";

  private final String system;
  private final String cluster;
  private final Path accounting;
  private final List<String> keys;

  PeerCluster(String system, String cluster, Path accounting, List<String> keys) {
    this.system = system;
    this.cluster = cluster;
    this.accounting = accounting;
    this.keys = keys;
  }

  /** The one of a name on a command line. */
  public static Optional<PeerCluster> of(String system) {
    return Arrays.stream(values()).filter(it -> it.system.equals(system)).findFirst();
  }

  public static String names() {
    return Arrays.stream(values())
        .map(PeerCluster::system)
        .sorted()
        .collect(Collectors.joining("|"));
  }

  /** The system, as cluster files call it. */
  public String system() {
    return system;
  }

  /** The cluster's name here. */
  public String cluster() {
    return cluster;
  }

  /** Where it writes how its jobs have ended. */
  public Path accounting() {
    return accounting;
  }

  String script() {
    return system + ".sh";
  }

  /** The node that its host is. */
  public String node() throws IOException {
    return Installation.host(1) + "@" + cluster;
  }

  /** Name of the process that forwards to it. */
  public String part() {
    return "forward-" + cluster;
  }

  /**
   * Lines of a cluster file.
   *
   * @param name of the cluster
   * @param more lines
   */
  public List<String> file(String name, Path spool, List<String> more) {
    List<String> lines =
        new ArrayList<>(
            List.of("name = " + name, "system = " + system, "spool = " + spool, "as = sudo"));
    lines.addAll(keys);
    lines.addAll(more);
    return lines;
  }
}
