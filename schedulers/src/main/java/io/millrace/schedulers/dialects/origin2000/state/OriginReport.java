package io.millrace.schedulers.dialects.origin2000.state;

import io.millrace.schedulers.dialects.origin2000.config.OriginQueueName;
import java.util.List;
import java.util.Optional;

/**
 * What one pass of a cycle did and saw.
 *
 * @param again whether jobs were restarted, so that the pass is to be run once more
 * @param sorted the jobs right after sorting
 * @param decayUsage the file of past usage, when it is due
 * @param dump the file of sorted jobs, when there is one
 */
public record OriginReport(
    boolean again,
    List<OriginAction> actions,
    List<Sorted> sorted,
    List<QueueDrain> drains,
    List<Packed> packed,
    Optional<String> decayUsage,
    Optional<String> dump) {

  /**
   * A job in the order.
   *
   * @param flags I interactive, W outstanding, D dedicated, H counters; - for none
   */
  public record Sorted(String job, char state, long nodes, String flags, long eligibleS) {}

  /** The queue that is drained for a job; empty when none is. */
  public record QueueDrain(String job, Optional<Drained> queue) {}

  /** A queue that is drained by a time, with nodes kept free until then. */
  public record Drained(String queue, long by, long reserved) {}

  /** A queue before and after jobs were tried on it. */
  public record QueueFigures(
      OriginQueueName queue,
      long nodesMax,
      long assigned,
      long reserved,
      long running,
      boolean draining,
      boolean prime) {}

  /**
   * A list of jobs that was tried on queues.
   *
   * @param ran how many started; -1 when the server refused one, which ends the list
   */
  public record Packed(
      List<QueueFigures> before, List<String> jobs, List<QueueFigures> after, long ran) {}
}
