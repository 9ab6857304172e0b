package io.millrace.connectors.local.run;

/**
 * What a run may use before its supervisor, or the kernel, ends it.
 *
 * @param walltimeS seconds after which the supervisor ends the run; 0 for no limit
 * @param softWalltimeS seconds after which it warns the run with SIGUSR1, once; 0 for never
 * @param cpu how much processor time
 * @param memory how much memory on this host
 * @param outputKb how much it may print, on output and error output together; 0 for no bound
 * @param processors how many of the host's it has for itself, with its tasks; 0: it shares all
 */
public record RunLimits(
    long walltimeS,
    long softWalltimeS,
    CpuLimits cpu,
    MemoryLimits memory,
    long outputKb,
    int processors) {

  /** A limit of the walltime alone. */
  public static RunLimits ofWalltime(long walltimeS) {
    return new RunLimits(walltimeS, 0, CpuLimits.NONE, MemoryLimits.NONE, 0, 0);
  }
}
