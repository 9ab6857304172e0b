package io.millrace.server.core.decision;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import java.nio.ByteBuffer;

/** Ids of the messages that follow from one command, those of timers due before it included. */
public final class MessageIds {
  private final CommandMeta cause;
  private final int shard;
  private long made;

  public MessageIds(CommandMeta cause, int shard) {
    this.cause = cause;
    this.shard = shard;
  }

  /**
   * The first six bytes, which say how old the id is, stay those of the command; the last eight are
   * different for each message that follows from it.
   *
   * @param seq number of the shard's last fact
   */
  CommandId next(long seq) {
    ByteBuffer id = ByteBuffer.allocate(16).put(cause.getId().bytes());
    long place = (seq << 24) + (++made << 8) + shard + 1;
    return new CommandId(id.putLong(8, mixed(id.getLong(8) + place)).array());
  }

  /** Spreads near numbers over all 64 bits, one to one. */
  private static long mixed(long number) {
    long a = (number ^ number >>> 32) * 0xd6e8feb86659fd93L;
    long b = (a ^ a >>> 32) * 0xd6e8feb86659fd93L;
    return b ^ b >>> 32;
  }
}
