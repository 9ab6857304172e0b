package io.millrace.server.accounting.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** From where topics beside the ledger are read. */
class LedgerShardsTest {

  private static long from(long next, long begin, long end) {
    return LedgerShards.from(OptionalLong.of(next), begin, end);
  }

  @Test
  void whatWasReadIsNotReadAgain() {
    assertEquals(7, from(7, 2, 9));
    assertEquals(9, from(9, 2, 9));
    assertEquals(5, from(3, 5, 9), "what stood there was removed");
    assertEquals(9, LedgerShards.from(OptionalLong.empty(), 2, 9), "from now on");
    assertEquals(4, from(9, 0, 4), "made anew, or brought back: its facts are old");
    assertEquals(0, from(9, 0, 0));
  }
}
