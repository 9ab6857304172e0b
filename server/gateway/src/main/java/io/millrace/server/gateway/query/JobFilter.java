package io.millrace.server.gateway.query;

import java.util.Optional;

/**
 * Which jobs a list holds.
 *
 * @param queue only jobs of this queue
 * @param owner only jobs of this user
 * @param history finished jobs too
 */
public record JobFilter(Optional<String> queue, Optional<String> owner, boolean history) {

  /** Every job, finished ones only on request. */
  public static JobFilter all(boolean history) {
    return new JobFilter(Optional.empty(), Optional.empty(), history);
  }

  public JobFilter inQueue(String name) {
    return new JobFilter(Optional.of(name), owner, history);
  }

  public JobFilter ownedBy(String user) {
    return new JobFilter(queue, Optional.of(user), history);
  }
}
