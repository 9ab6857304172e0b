package io.millrace.schemas.engine;

/**
 * What an engine is told about its place.
 *
 * @param scheduler name of the scheduler object
 * @param epoch number of this start; proposals of an older one are refused
 * @param shard shard that holds the scheduler's partitions
 * @param server server name, the part of a job id after the dot
 * @param wake called from the engine's thread when proposals became ready; never blocks
 * @param answered true when it is told of refused proposals; otherwise it only sees the facts of
 *     accepted ones
 */
public record EngineSeat(
    String scheduler, long epoch, int shard, String server, Runnable wake, boolean answered) {

  /** The seat of an engine beside its shard, which is told all answers. */
  public EngineSeat(String scheduler, long epoch, int shard, String server, Runnable wake) {
    this(scheduler, epoch, shard, server, wake, true);
  }
}
