package io.millrace.schedulers.engine;

import io.millrace.schemas.common.CommandId;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Ids of an engine's commands: 6 bytes of time, 6 random ones of this engine, 4 that count. */
final class ProposalIds {

  private final long engine = new SecureRandom().nextLong() & 0xFFFF_FFFF_FFFFL;
  private int count;

  CommandId next(long nowMs) {
    ByteBuffer id = ByteBuffer.allocate(16);
    id.putLong(nowMs << 16 | engine >>> 32);
    id.putInt((int) engine);
    id.putInt(count++);
    return new CommandId(id.array());
  }
}
