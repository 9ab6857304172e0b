package io.millrace.schedulers.dialects.origin2000.state;

/**
 * A job as the server has it.
 *
 * @param group empty when the server knows none
 * @param originQueue where it was submitted to; empty when unknown
 * @param execHost where it runs; empty otherwise
 * @param state R, Q, H, ...
 * @param ncpus processors asked for; 0 when none were
 * @param memory bytes asked for; 0 when none were
 * @param usedS walltime used so far
 * @param eligibleAt seconds since 1970 at which it became eligible; 0 when unknown
 * @param comment null when it has none
 */
public record OriginJob(
    String id,
    String owner,
    String group,
    String queue,
    String originQueue,
    String execHost,
    char state,
    long ncpus,
    long memory,
    long walltimeS,
    long usedS,
    long createdAt,
    long eligibleAt,
    long modifiedAt,
    boolean interactive,
    boolean hpm,
    String comment) {

  /** The same job with another request. */
  public OriginJob with(long newNcpus, long newMemory) {
    return new OriginJob(
        id,
        owner,
        group,
        queue,
        originQueue,
        execHost,
        state,
        newNcpus,
        newMemory,
        walltimeS,
        usedS,
        createdAt,
        eligibleAt,
        modifiedAt,
        interactive,
        hpm,
        comment);
  }
}
