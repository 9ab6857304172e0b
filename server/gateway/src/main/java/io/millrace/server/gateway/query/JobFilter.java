package io.millrace.server.gateway.query;

import java.util.Optional;

/**
 * Which jobs a list holds.
 *
 * @param queue only jobs of this queue
 * @param owner only jobs of this user
 * @param history finished jobs too
 * @param asker the user who asks; each user has a share of the memory for lists
 * @param after only jobs of higher numbers; -1 for all
 */
public record JobFilter(
    Optional<String> queue, Optional<String> owner, boolean history, String asker, long after) {

  /** Every job, finished ones only on request. */
  public static JobFilter all(boolean history, String asker) {
    return new JobFilter(Optional.empty(), Optional.empty(), history, asker, -1);
  }

  public JobFilter inQueue(String name) {
    return new JobFilter(Optional.of(name), owner, history, asker, after);
  }

  public JobFilter ownedBy(String user) {
    return new JobFilter(queue, Optional.of(user), history, asker, after);
  }

  /** Goes on behind a job of an earlier list. */
  public JobFilter behind(long number) {
    return new JobFilter(queue, owner, history, asker, number);
  }
}
