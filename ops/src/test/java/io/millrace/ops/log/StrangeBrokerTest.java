package io.millrace.ops.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** What a part's log says about a broker that has not proven itself. */
class StrangeBrokerTest {

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final StrangeBroker filter = new StrangeBroker(nanos::get);

  private static LogRecord refused() {
    return new LogRecord(
        Level.SEVERE,
        "[Producer clientId=p] Connection to node -1 (localhost/127.0.0.1:19092) failed"
            + " authentication due to: Authentication failed\nbecause {0}");
  }

  @Test
  void itIsSaidInOneLineOnceAMinute() {
    LogRecord first = refused();
    assertTrue(filter.isLoggable(first));
    assertEquals(
        "whoever listens at localhost/127.0.0.1:19092 is not this cluster's broker, or the password"
            + " here is not the present one; it was told no password and no command"
            + " (docs/keys.md). Authentication failed because {0}",
        first.getMessage());
    for (int second = 1; second < 60; second++) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      assertFalse(filter.isLoggable(refused()));
    }
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertTrue(filter.isLoggable(refused()));
  }

  @Test
  void whatElseIsSaidIsLeftAlone() {
    LogRecord other = new LogRecord(Level.WARNING, "Connection to node -1 could not be made");
    assertTrue(filter.isLoggable(other));
    assertTrue(filter.isLoggable(other));
    assertEquals("Connection to node -1 could not be made", other.getMessage());
  }
}
