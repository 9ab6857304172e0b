package io.millrace.connectors.bridge.cluster;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideReservations;
import io.millrace.connectors.bridge.system.OutsideSystem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A kind of outside system, found as a service. */
public interface OutsideKind {

  /** As a cluster file calls it. */
  String name();

  /** Keys that only this kind has. */
  List<ClusterKey> keys();

  /** Names of those that say nothing of a cluster that is only observed. */
  default Set<String> keysOfRuns() {
    return Set.of();
  }

  /** The cluster of a file. */
  OutsideSystem open(ClusterFile file, CommandRunner runner);

  /** What makes reservations real there; empty where mode = reserve is not possible. */
  default Optional<OutsideReservations> reservations(ClusterFile file, CommandRunner runner) {
    return Optional.empty();
  }

  /** Whether there can be mode = reserve. */
  default boolean reserves() {
    return false;
  }

  /** What is wrong with values of keys that do not go together; empty for nothing. */
  default Optional<String> unfit(Map<String, String> values) {
    return Optional.empty();
  }

  /** Programs that must be there. */
  List<String> programs();

  /** Of those, the ones that are started in the names of accounts. */
  List<String> programsOfAccounts();

  /** Those of them that a cluster needs. */
  default List<String> programsOfAccounts(ClusterFile file) {
    return programsOfAccounts();
  }

  /** Looks at what only this kind has; submits and changes nothing. */
  List<CheckLine> check(ClusterFile file, CommandRunner runner) throws InterruptedException;
}
