package io.millrace.connectors.bridge.cluster;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideSystem;
import java.util.List;

/** A kind of outside system, found as a service. */
public interface OutsideKind {

  /** As a cluster file calls it. */
  String name();

  /** Keys that only this kind has. */
  List<ClusterKey> keys();

  /** The cluster of a file. */
  OutsideSystem open(ClusterFile file, CommandRunner runner);

  /** Programs that must be there. */
  List<String> programs();

  /** Of those, the ones that are started in the names of accounts. */
  List<String> programsOfAccounts();

  /** Looks at what only this kind has; submits and changes nothing. */
  List<CheckLine> check(ClusterFile file, CommandRunner runner) throws InterruptedException;
}
