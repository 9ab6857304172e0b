package io.millrace.schedulers.dialects.origin2000.state;

import java.util.List;

/**
 * A queue as the server has it.
 *
 * @param maxRunning -1 when unset
 * @param maxUserRun -1 when unset
 * @param users who may run there; null when all may
 */
public record OriginQueueState(
    String name,
    boolean started,
    boolean enabled,
    long maxRunning,
    long maxUserRun,
    List<String> users,
    RequestBound most,
    RequestBound least) {

  /** Limits of a job's request; -1 where there is none. */
  public record RequestBound(long ncpus, long memory, long walltimeS) {

    /** Nodes of a limit that has processors and memory; -1 otherwise. */
    public long nodes() {
      return ncpus < 0 || memory < 0 ? -1 : OriginNodes.of(ncpus, memory);
    }
  }
}
