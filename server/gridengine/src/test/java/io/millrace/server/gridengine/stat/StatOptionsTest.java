package io.millrace.server.gridengine.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gridengine.stat.StatOptions.Show;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatOptionsTest {

  @ParameterizedTest
  @CsvSource({
    "a, true",
    "aAcE, true",
    "Ea, true",
    "A, false",
    "c, false",
    "E, false",
    "cAE, false"
  })
  void loadAlarmsAreExplainedWhereTheyAreAskedFor(String letters, boolean alarms) throws Failure {
    StatOptions options = StatOptions.of(List.of("-explain", letters), "alice");
    assertEquals(alarms, options.shows(Show.EXPLAIN));
    assertTrue(options.shows(Show.FULL));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "ax", ""})
  void otherLettersAreRefused(String letters) {
    assertThrows(Failure.class, () -> StatOptions.of(List.of("-explain", letters), "alice"));
  }
}
