package io.millrace.server.campaigns.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which transactions are of processes of an application. */
final class FormerTransactionsTest {

  private static final String PROCESS = "-2b5f8c1e-01ab-4c5d-8e9f-0123456789ab-1";

  @Test
  void othersAreLeftAlone() {
    List<String> begun =
        List.of(
            "millrace-campaigns" + PROCESS,
            "millrace" + PROCESS,
            "millrace-campaigns-x" + PROCESS,
            "millrace-campaigns-1",
            "of-somebody");
    assertEquals(
        List.of("millrace-campaigns" + PROCESS),
        FormerTransactions.of("millrace-campaigns", begun));
    assertEquals(List.of("millrace" + PROCESS), FormerTransactions.of("millrace", begun));
  }
}
