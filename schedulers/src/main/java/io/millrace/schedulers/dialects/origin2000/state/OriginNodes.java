package io.millrace.schedulers.dialects.origin2000.state;

/** A node of the machine: two processors with 512 MiB. */
public final class OriginNodes {

  public static final long PROCESSORS = 2;
  public static final long MEMORY = 512L << 20;

  private OriginNodes() {}

  /** Nodes that are needed to have both. */
  public static long of(long ncpus, long memory) {
    return Math.max((ncpus + PROCESSORS - 1) / PROCESSORS, (memory + MEMORY - 1) / MEMORY);
  }
}
