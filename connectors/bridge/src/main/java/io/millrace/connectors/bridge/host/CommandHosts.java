package io.millrace.connectors.bridge.host;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.TransportKeys;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.container.ContainerRunner;
import io.millrace.connectors.bridge.ssh.SshRunner;
import java.nio.file.Path;
import java.util.Optional;

/** The hosts on which the commands of clusters are. */
public final class CommandHosts {

  /** In the folder of a process that serves a cluster: which container that is in. */
  private static final String MARK = "container";

  private CommandHosts() {}

  /** What starts the commands of a cluster; nothing is connected before the first of them. */
  public static CommandRunner of(ClusterFile file) {
    return of(file, new ProcessRunner(), Optional.empty());
  }

  /**
   * The same.
   *
   * @param here what starts commands of this host
   * @param folder of the process, where it has one that outlives it
   */
  public static CommandRunner of(ClusterFile file, CommandRunner here, Optional<Path> folder) {
    if (TransportKeys.isInContainer(file)) {
      return ContainerRunner.of(file, here, folder.map(it -> it.resolve(MARK)));
    }
    return TransportKeys.isSsh(file) ? SshRunner.of(file) : here;
  }
}
