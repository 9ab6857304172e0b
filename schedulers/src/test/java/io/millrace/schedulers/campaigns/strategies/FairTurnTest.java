package io.millrace.schedulers.campaigns.strategies;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Who has least comes to have as much as the others. */
final class FairTurnTest {

  @Test
  void roomIsSharedSoThatAllHaveTheSame() {
    assertEquals(20, FairTurn.share(0, List.of(0), 40));
    assertEquals(7, FairTurn.share(0, List.of(0, 0), 21));
    assertEquals(15, FairTurn.share(0, List.of(10), 20), "both have 15 then");
    assertEquals(8, FairTurn.share(2, List.of(100, 10), 8), "nobody else is so low");
    assertEquals(14, FairTurn.share(2, List.of(100, 10), 20), "two come to 16");
  }

  @Test
  void someOfAnyRoomIsGiven() {
    assertEquals(1, FairTurn.share(5, List.of(5), 1));
    assertEquals(1, FairTurn.share(5, List.of(5, 5, 5), 3));
    assertEquals(9, FairTurn.share(5, List.of(), 9));
    assertEquals(0, FairTurn.share(0, List.of(3), 0));
  }
}
