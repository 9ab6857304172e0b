package io.millrace.server.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.hostkey.HostKeys;
import io.millrace.server.streams.engine.EngineLiveness;
import io.millrace.server.streams.input.BesideShards;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * What every shard of a server process shares.
 *
 * @param codec records to bytes
 * @param shards number of all shards
 * @param beside what works beside the shards
 * @param outside what bypasses the inboxes
 * @param polled what was polled last
 * @param owned shards that this process holds, and where queries about them are answered
 */
record ShardEnvironment(
    RecordCodec codec,
    int shards,
    BesideShards beside,
    Outside outside,
    PolledBatches polled,
    OwnedShards owned) {

  /**
   * What bypasses the inboxes.
   *
   * @param wake writes a Tick into a shard's inbox; never blocks
   * @param hosts what is heard of executors
   * @param engines what is heard of engines in processes of their own
   * @param usages what is heard of their runs
   * @param keys of the hosts whose reports are heard and who get orders
   * @param refusals the audit log: takes a line for each command that its family or host may not
   *     send
   */
  record Outside(
      IntConsumer wake,
      ExecutorLiveness hosts,
      EngineLiveness engines,
      LiveUsages usages,
      HostKeys keys,
      Consumer<String> refusals) {}
}
