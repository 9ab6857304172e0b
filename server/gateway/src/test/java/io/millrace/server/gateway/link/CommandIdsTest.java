package io.millrace.server.gateway.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.schemas.common.CommandId;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CommandIdsTest {

  private static final long NOW_MS = 1_795_188_960_123L;

  private static long timeOf(CommandId id) {
    return ByteBuffer.wrap(id.bytes()).getLong() >>> 16;
  }

  @Test
  void idsBeginWithTheirTime() {
    assertEquals(NOW_MS, timeOf(CommandIds.random(NOW_MS)));
    UUID base = CommandIds.base(NOW_MS);
    assertEquals(NOW_MS, CommandIds.timeMs(base));
    assertEquals(NOW_MS, timeOf(CommandIds.derive(base, "me", "0")));
  }

  @Test
  void derivedIdsAreRepeatableAndDifferByUserAndPart() {
    UUID base = CommandIds.base(NOW_MS);
    CommandId id = CommandIds.derive(base, "me", "0");
    assertEquals(id, CommandIds.derive(base, "me", "0"));
    assertNotEquals(id, CommandIds.derive(base, "me", "1"));
    assertNotEquals(id, CommandIds.derive(base, "you", "0"));
    assertNotEquals(id, CommandIds.derive(CommandIds.base(NOW_MS), "me", "0"));
  }
}
