package io.millrace.ops.bench.campaigns;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A test does not wait behind the tasks of a large campaign. */
class LateTestsTest {

  private static final int PROCESSORS = 32;

  @Test
  void itRunsOnTheFirstProcessorThatIsFree() {
    double s = LateTests.run(PROCESSORS, 1);
    assertTrue(s >= 0 && s <= 2, s + " s after the first processor was free");
  }
}
