package io.millrace.schedulers.dialects.gridengine.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WorkExtensionTest {

  private final WorkExtension stretch = new WorkExtension();

  @Test
  void doublesWhileRunsAreCutAndHalvesAfterwards() {
    assertEquals(10, stretch.units(10));
    stretch.ran(true);
    assertEquals(20, stretch.units(10));
    stretch.ran(true);
    assertEquals(40, stretch.units(10));
    stretch.ran(false);
    assertEquals(20, stretch.units(10));
    stretch.ran(false);
    stretch.ran(false);
    assertEquals(10, stretch.units(10));
  }

  @Test
  void isBounded() {
    for (int i = 0; i < 100; i++) {
      stretch.ran(true);
    }
    assertEquals(10 * WorkExtension.MOST, stretch.units(10));
    assertEquals(Long.MAX_VALUE, stretch.units(Long.MAX_VALUE));
  }
}
