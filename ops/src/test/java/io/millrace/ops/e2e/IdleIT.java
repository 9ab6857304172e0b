package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * An installation of which nobody asks anything does next to nothing. Other tests run beside this
 * one, and what they leave may still be told of at first; what is asked for is one quiet while.
 */
@Order(2)
@Shared(user = "mridle", site = "second")
class IdleIT {
  private static final Duration WHILE = Duration.ofSeconds(15);
  private static final int TRIES = 12;

  /**
   * Of the seven parts; measured 248, whatever the machine. Whoever polls more often than before is
   * found by it.
   */
  private static final double WAKE_UPS = 320;

  /**
   * Of the seven parts, on a quiet machine: less than it took before, more than it takes. Held at
   * night, since the same work takes more of a slower or busier processor.
   */
  private static final double PROCESSOR_PERCENT = 6;

  /** 5 MB a day, and one line. */
  private static final long LOG_BYTES = 5_000_000 * WHILE.toSeconds() / 86_400 + 200;

  @Test
  void nothingHappensWhereThereIsNothingToDo(Site site) throws Exception {
    StringBuilder seen = new StringBuilder();
    boolean quiet = false;
    for (int i = 0; i < TRIES && !quiet; i++) {
      IdleWindow window = IdleWindow.of(site, WHILE);
      seen.append('\n').append(window);
      quiet =
          window.wakeUps() <= WAKE_UPS
              && (!Site.NIGHT || window.processorPercent() <= PROCESSOR_PERCENT)
              && window.still()
              && window.logBytes() <= LOG_BYTES;
    }
    System.out.println("e2e: idle:" + seen);
    assertTrue(quiet, "it was never quiet:" + seen);
  }
}
