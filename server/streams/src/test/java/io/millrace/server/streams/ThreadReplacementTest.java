package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** How long a thread that fails is replaced. */
class ThreadReplacementTest {
  private final ThreadReplacement replacements = new ThreadReplacement();
  private final Throwable lasting = new AuthorizationException("no");

  @Test
  void aFailureThatComesBackAndBackEndsTheProcess() {
    for (int i = 0; i < ThreadReplacement.LASTING_MAX; i++) {
      assertTrue(replacements.pauseMs(lasting, i * 1000L).isPresent(), "failure " + i);
    }
    assertEquals(OptionalLong.empty(), replacements.pauseMs(lasting, 100_000));
  }

  @Test
  void aFewNowAndThenDoNot() {
    for (int i = 0; i < 1000; i++) {
      assertTrue(replacements.pauseMs(lasting, i * 60_000L).isPresent(), "failure " + i);
    }
  }

  @Test
  void theBrokerMayBeAwayForAnyTime() {
    for (int i = 0; i < 10_000; i++) {
      assertTrue(replacements.pauseMs(new TimeoutException(), i * 5000L).isPresent());
    }
  }

  @Test
  void aStrangeBrokerMayStandInItsPlaceForAnyTime() {
    for (int i = 0; i < 10_000; i++) {
      assertTrue(replacements.pauseMs(new SaslAuthenticationException("no"), i).isPresent());
    }
  }

  @Test
  void pausesGrowWhileItFailsAndBeginAnewAfterAMinute() {
    assertEquals(0, replacements.pauseMs(lasting, 0).getAsLong());
    assertEquals(100, replacements.pauseMs(lasting, 10).getAsLong());
    assertEquals(200, replacements.pauseMs(lasting, 20).getAsLong());
    for (int i = 0; i < 10; i++) {
      replacements.pauseMs(lasting, 30);
    }
    assertEquals(ThreadReplacement.PAUSE_MAX_MS, replacements.pauseMs(lasting, 40).getAsLong());
    assertEquals(0, replacements.pauseMs(lasting, 70_000).getAsLong());
  }
}
