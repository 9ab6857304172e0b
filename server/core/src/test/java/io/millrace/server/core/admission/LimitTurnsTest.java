package io.millrace.server.core.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.state.LimitBook;
import io.millrace.schemas.state.LimitNeed;
import io.millrace.schemas.state.LimitTurn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who has a turn, and what others may keep. */
class LimitTurnsTest {
  private static final long NOW = 1_700_000_000_000L;

  private final LimitBook book = new LimitBook();

  private LimitTurns turns(String limit, long... leased) {
    Map<String, Long> all = new HashMap<>();
    for (int shard = 0; shard < leased.length; shard++) {
      all.put(String.valueOf(shard), leased[shard]);
    }
    book.setLimit(limit);
    book.setLeased(all);
    book.setNeeds(new ArrayList<>());
    book.setTurns(new ArrayList<>());
    return new LimitTurns(book, NOW);
  }

  private List<Integer> waiting() {
    return book.getTurns().stream().map(LimitTurn::getShard).toList();
  }

  /** A part is 3 of 7. One leaves down to it, then the next one what is still lacking. */
  @Test
  void whoHasMoreThanItsPartLeavesFirst() {
    LimitTurns turns = turns("ncpus@running", 5, 2, 0);
    turns.missed(new LimitNeed(2, 2L, 0L), 7, NOW);
    assertEquals(List.of(2), waiting());
    assertEquals(2, turns.before(0, 4, 7));
    assertEquals(0, turns.before(0, 3, 7), "it is its part");
    assertEquals(Map.of(0, 3L), turns.keeps(7, 0));
    LimitTurns even = turns("ncpus@running", 4, 4, 0);
    even.missed(new LimitNeed(2, 2L, 0L), 8, NOW);
    assertEquals(Map.of(0, 3L, 1, 3L), even.keeps(8, 0));
  }

  @Test
  void whoNeedsMoreThanItsPartHasNoTurn() {
    LimitTurns turns = turns("ncpus@running", 4, 3, 0);
    turns.missed(new LimitNeed(2, 5L, 0L), 7, NOW);
    assertEquals(List.of(), waiting());
    turns.missed(new LimitNeed(2, 3L, 0L), 7, NOW);
    assertEquals(List.of(2), waiting());
    assertEquals(Map.of(), turns.keeps(7, 3), "there is what it needs");
  }

  @Test
  void whoHasItsPartHasNoTurn() {
    LimitTurns turns = turns("ncpus@running", 3, 3, 1);
    turns.missed(new LimitNeed(0, 4L, 0L), 7, NOW);
    assertEquals(List.of(), waiting());
    turns.missed(new LimitNeed(2, 2L, 0L), 7, NOW);
    assertEquals(List.of(2), waiting());
    assertEquals(0, turns.before(2, 7, 7), "nobody comes before it");
  }

  @Test
  void limitsOnQueuedJobsHaveNoTurns() {
    LimitTurns turns = turns("@o:PBS_ALL", 4, 0);
    turns.missed(new LimitNeed(1, 1L, 0L), 4, NOW);
    assertEquals(List.of(), waiting());
  }

  @Test
  void whoDoesNotAskAgainHasLostItsTurn() {
    LimitTurns turns = turns("ncpus@running", 4, 0);
    turns.missed(new LimitNeed(1, 1L, 0L), 4, NOW);
    turns.asks(1, 2, NOW + 9_000);
    new LimitTurns(book, NOW + 18_000);
    assertEquals(2, book.getTurns().get(0).getNeeded());
    new LimitTurns(book, NOW + 20_000);
    assertEquals(List.of(), waiting());
  }
}
