package io.millrace.schemas.engine;

/**
 * Where an engine sits.
 *
 * @param scheduler name of the scheduler object
 * @param epoch number of this start; proposals of an older one are refused
 * @param shard shard that holds the scheduler's partitions
 * @param server server name, the part of a job id after the dot
 * @param wake called from the engine's thread when proposals became ready; never blocks
 * @param answered whether it hears that a proposal was refused; otherwise only facts, which tell of
 *     those that were accepted
 */
public record EngineSeat(
    String scheduler, long epoch, int shard, String server, Runnable wake, boolean answered) {

  /** One beside its shard, which hears all answers. */
  public EngineSeat(String scheduler, long epoch, int shard, String server, Runnable wake) {
    this(scheduler, epoch, shard, server, wake, true);
  }
}
