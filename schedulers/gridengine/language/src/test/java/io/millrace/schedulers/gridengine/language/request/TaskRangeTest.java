package io.millrace.schedulers.gridengine.language.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskRangeTest {

  @ParameterizedTest
  @ValueSource(strings = {"1", "7", "2-9", "9-2", "3-17:4", "3-18:4", "1-3:9"})
  void containsWhatItCountsOut(String text) {
    TaskRange range = TaskRange.of(text);
    for (int task = 0; task <= 30; task++) {
      assertEquals(range.numbers().contains(task), range.contains(task), text + " " + task);
    }
    assertEquals(range.numbers().size(), range.count());
  }

  @Test
  void aWideRangeIsNotCountedOut() {
    TaskRange wide = TaskRange.of("1-9999999");
    assertTimeout(
        Duration.ofSeconds(60),
        () -> {
          for (int task = 1; task <= 100_000; task++) {
            assertTrue(wide.contains(task));
          }
        });
    assertFalse(wide.contains(10_000_000));
  }
}
