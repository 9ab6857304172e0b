package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.TransportKeys;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.ProcessRunner;

/** The hosts on which the commands of clusters are. */
public final class CommandHosts {

  private CommandHosts() {}

  /** What starts the commands of a cluster; nothing is connected before the first of them. */
  public static CommandRunner of(ClusterFile file) {
    return of(file, new ProcessRunner());
  }

  /**
   * The same.
   *
   * @param here what starts commands of this host
   */
  public static CommandRunner of(ClusterFile file, CommandRunner here) {
    return TransportKeys.isSsh(file) ? new SshRunner(SshTerms.of(file)) : here;
  }
}
