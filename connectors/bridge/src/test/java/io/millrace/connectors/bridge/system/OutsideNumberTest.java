package io.millrace.connectors.bridge.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutsideNumberTest {
  @Test
  void numbersAndMomentsAreRead() {
    assertEquals(Optional.of(0L), OutsideNumber.of("0"));
    assertEquals(Optional.of(999_999_999_999_999_999L), OutsideNumber.of("9".repeat(18)));
    assertEquals(
        Optional.of(Instant.parse("2026-11-27T22:00:00Z")), OutsideNumber.time("1795816800"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " 1", "-1", "+1", "1.5", "1e3", "9999999999999999999", "\u0661"})
  void whatIsNoNumberIsNotThere(String text) {
    assertEquals(Optional.empty(), OutsideNumber.of(text));
    assertEquals(Optional.empty(), OutsideNumber.time(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1000000000000", "31556889864403200", "999999999999999999"})
  void whatNamesNoMomentIsNotThere(String text) {
    assertEquals(Optional.empty(), OutsideNumber.time(text));
  }
}
