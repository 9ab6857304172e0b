package io.millrace.ops.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HeapSizesTest {

  @Test
  void whatNobodySaidIsUsual() {
    HeapSizes sizes = HeapSizes.parse("");
    assertEquals("1024m", sizes.largest("server"));
    assertEquals("68m", sizes.first("server"));
    assertEquals("24m", sizes.young("server"));
  }

  @Test
  void aSmallHeapBeginsAsLargeAsItMayBecome() {
    HeapSizes sizes = HeapSizes.parse("server=32m, broker=2g");
    assertEquals("32m", sizes.largest("server"));
    assertEquals("32m", sizes.first("server"));
    assertEquals("8m", sizes.young("server"));
    assertEquals("2g", sizes.largest("broker"));
    assertEquals("64m", sizes.first("broker"));
    assertEquals("512m", sizes.largest("engine"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"server", "server=", "server=2", "server=0m", "server=2t", "servant=2g", "=2g"})
  void whatIsNoSizeIsRefusedWithTheParts(String text) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> HeapSizes.parse(text));
    assertTrue(refusal.getMessage().contains("parts are server, broker,"), refusal.getMessage());
  }
}
