package io.millrace.ops.word;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a word has started for itself does not outlive it. */
class KillOnExitTest {
  @Test
  void allIsKilledAtTheEndOfTheBlock() {
    AtomicInteger killed = new AtomicInteger();
    try (KillOnExit end = new KillOnExit("faults", killed::incrementAndGet)) {
      assertEquals(0, killed.get());
    }
    assertEquals(1, killed.get());
  }

  /** What the block has found out is still told. */
  @Test
  void aPartThatCannotBeKilledIsNoFailureOfTheBlock() {
    new KillOnExit(
            "faults",
            () -> {
              throw new IOException("no such file");
            })
        .close();
  }
}
