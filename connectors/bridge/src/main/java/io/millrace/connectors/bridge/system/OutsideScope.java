package io.millrace.connectors.bridge.system;

import java.util.Optional;
import java.util.Set;

/**
 * Which jobs of an outside system can be runs of ours; all others may have our marks too, as
 * anybody gives jobs of his own any.
 *
 * @param cluster its name in our marks; empty where each is taken
 * @param accounts in whose names runs are submitted
 */
public record OutsideScope(Optional<String> cluster, Set<String> accounts) {

  /** Where each job with a mark counts. */
  public static final OutsideScope ALL = new OutsideScope(Optional.empty(), Set.of());

  /** That of a cluster. */
  public static OutsideScope of(String cluster, Set<String> accounts) {
    return new OutsideScope(Optional.of(cluster), Set.copyOf(accounts));
  }

  /** Whether a job has a mark of the cluster and belongs to one of the accounts. */
  public boolean has(OutsideJob job) {
    return cluster.isEmpty()
        ? job.tag().isPresent()
        : accounts.contains(job.account())
            && job.tag().filter(it -> it.cluster().equals(cluster.get())).isPresent();
  }
}
