package io.millrace.server.gridengine.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Amounts of -l at the end of their range: a limit is one, or there is none, never another. */
class GreatestLimitsTest {
  private static final Complexes COMPLEXES =
      Complexes.parse(
          "complex",
          """
          slots   s    INT    <= YES YES 1 1000
          h_rt    h_rt TIME   <= YES NO  0:0:0 0
          h_vmem  h_vmem MEMORY <= YES NO 0 0
          """);

  private static long walltime(String text) {
    AttributeRequest limit = AttributeRequest.of("h_rt", text, COMPLEXES);
    return CellJobBuilder.request(
            new Needs(List.of(limit), List.of(), List.of(), List.of(), Optional.empty()))
        .getWalltimeS();
  }

  @ParameterizedTest
  @CsvSource({
    "999999999,999999999",
    "1000000000,1000000000",
    "4294967294,4294967294",
    "1193046:28:14,4294967294",
    "4294967295,-1",
    "4294967296,-1",
    "999999999999:999999999999:999999999999,-1",
    "INFINITY,-1"
  })
  void aRunsLimitIsKeptUpToThatWhichMeansNone(String text, long seconds) {
    assertEquals(seconds, walltime(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9999999999999", "9223372036854775808", "1:2:3:4", "-1", "1e9", ""})
  void whatIsNoTimeIsRefused(String text) {
    RequestRefused refused = assertThrows(RequestRefused.class, () -> walltime(text));
    assertEquals("attribute \"h_rt\" is not a time value", refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e309", "1e308T", "9e999"})
  void anAmountThatNoNumberHoldsIsRefused(String text) {
    assertThrows(RequestRefused.class, () -> AttributeRequest.of("h_vmem", text, COMPLEXES));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775807", "8191P", "1e300G", "INFINITY"})
  void oneThatIsHeldIsFiniteOrRefused(String text) {
    assertEquals(true, takenOrRefused(text));
  }

  private static boolean takenOrRefused(String text) {
    try {
      return Double.isFinite(AttributeRequest.of("h_vmem", text, COMPLEXES).amount());
    } catch (RequestRefused e) {
      return true;
    }
  }
}
