package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import java.util.Optional;

/**
 * Whether a job would leave a queue in small pieces. A piece is the queue's share of nodes for each
 * of the jobs that may run in it.
 *
 * @param nodesMax -1 when the queue has no limit
 * @param maxRunning -1 when the queue has no limit
 * @param emptyInS seconds until the last of its jobs ends
 */
public record Fragmentation(
    String queue, long nodesMax, long maxRunning, long assigned, long running, long emptyInS) {

  private static final long SMALLEST = 2;

  static Fragmentation of(CycleQueue queue, long now) {
    return new Fragmentation(
        queue.name(),
        queue.nodesMax(),
        queue.maxRunning(),
        queue.assigned(),
        queue.running(),
        queue.emptyBy() - now);
  }

  /** Why a job is not to start; empty when it may. */
  public Optional<String> refusal(long nodes, long walltimeS) {
    if (nodesMax < 0 || maxRunning < SMALLEST || nodesMax / maxRunning < SMALLEST) {
      return Optional.empty();
    }
    long piece = nodesMax / maxRunning;
    boolean outlives = walltimeS > emptyInS;
    if (nodesMax - assigned < piece) {
      return outlives ? Optional.of(wouldLeave()) : Optional.empty();
    }
    if (running == 0 || nodes >= piece) {
      return Optional.empty();
    }
    long average = (assigned + piece / 2) / running;
    if (average >= piece) {
      return Optional.of("Would fragment queue " + queue + " (must be >= " + piece + " nodes)");
    }
    return outlives
        ? Optional.of("Would perpetuate fragmentation (must be < " + emptyInS + " sec)")
        : Optional.empty();
  }

  private String wouldLeave() {
    String time = OriginType.clock(emptyInS);
    return "Would leave fragments in " + queue + " (must be <= " + time + " walltime)";
  }
}
