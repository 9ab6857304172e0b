package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class OutsideStressTest {

  private final OutsideStress stress = new OutsideStress();

  private void asked(int times, long seconds, boolean answered) {
    for (int i = 0; i < times; i++) {
      stress.asked(Duration.ofSeconds(seconds), answered);
    }
  }

  @Test
  void slowAnswersAreStress() {
    asked(1, 20, true);
    assertEquals(0.3, stress.now(), 1e-9, "one alone may be chance");
    asked(5, 20, true);
    assertTrue(stress.now() > 0.8, "" + stress.now());
    asked(20, 0, true);
    assertTrue(stress.now() < 0.01, "" + stress.now());
    asked(20, 600, true);
    assertEquals(1, stress.now());
  }

  @Test
  void questionsWithoutAnswerAreStress() {
    asked(5, 0, false);
    assertTrue(stress.now() > 0.8, "" + stress.now());
    asked(1, 0, true);
    assertTrue(stress.now() < 0.8, "" + stress.now());
  }

  @Test
  void whatItSaysItselfCountsWhereThatIsWorse() {
    stress.says(0.9);
    assertEquals(0.9, stress.now());
    stress.says(7);
    assertEquals(1, stress.now());
    stress.says(-1);
    assertEquals(0, stress.now());
  }
}
