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
    turns.missed(new LimitNeed(2, 2L, 0L), 7);
    assertEquals(List.of(2), waiting());
    assertEquals(2, turns.before(0, 4, 7));
    assertEquals(0, turns.before(0, 3, 7), "it is its part");
    assertEquals(Map.of(0, 3L), turns.keeps(7, 0));
    LimitTurns even = turns("ncpus@running", 4, 4, 0);
    even.missed(new LimitNeed(2, 2L, 0L), 8);
    assertEquals(Map.of(0, 3L, 1, 3L), even.keeps(8, 0));
  }

  @Test
  void whoNeedsMoreThanItsPartHasNoTurn() {
    LimitTurns turns = turns("ncpus@running", 4, 3, 0);
    turns.missed(new LimitNeed(2, 5L, 0L), 7);
    assertEquals(List.of(), waiting());
    turns.missed(new LimitNeed(2, 3L, 0L), 7);
    assertEquals(List.of(2), waiting());
    assertEquals(Map.of(), turns.keeps(7, 3), "there is what it needs");
  }

  @Test
  void whoHasItsPartHasNoTurn() {
    LimitTurns turns = turns("ncpus@running", 3, 3, 1);
    turns.missed(new LimitNeed(0, 4L, 0L), 7);
    assertEquals(List.of(), waiting());
    turns.missed(new LimitNeed(2, 2L, 0L), 7);
    assertEquals(List.of(2), waiting());
    assertEquals(0, turns.before(2, 7, 7), "nobody comes before it");
  }

  @Test
  void limitsOnQueuedJobsHaveNoTurns() {
    LimitTurns turns = turns("@o:PBS_ALL", 4, 0);
    turns.missed(new LimitNeed(1, 1L, 0L), 4);
    assertEquals(List.of(), waiting());
  }

  /** What is kept from the shard that has 4 of 4, at this time. */
  private long keptFromTheFirst(long nowMs) {
    return new LimitTurns(book, nowMs).before(0, 4, 4);
  }

  @Test
  void whoDoesNotAskAgainHasLostItsTurn() {
    turns("ncpus@running", 4, 0).missed(new LimitNeed(1, 1L, 0L), 4);
    new LimitTurns(book, NOW + 9_000).asks(1, 2);
    assertEquals(2, keptFromTheFirst(NOW + 18_000));
    assertEquals(0, keptFromTheFirst(NOW + 20_000));
    assertEquals(List.of(1), waiting(), "it is remembered");
    assertEquals(0, keptFromTheFirst(NOW + 610_000));
    assertEquals(List.of(), waiting());
  }

  /** As an engine does whose runs are 30 s apart; in one of them it asks for two jobs. */
  @Test
  void whoAlwaysAsksSeldomKeepsItsTurnFromTheSecondTimeOn() {
    turns("ncpus@running", 4, 0).missed(new LimitNeed(1, 1L, 0L), 4);
    assertEquals(0, keptFromTheFirst(NOW + 29_000));
    new LimitTurns(book, NOW + 30_000).asks(1, 1);
    new LimitTurns(book, NOW + 31_000).asks(1, 1);
    assertEquals(1, keptFromTheFirst(NOW + 60_000));
    new LimitTurns(book, NOW + 61_000).asks(1, 1);
    assertEquals(1, keptFromTheFirst(NOW + 100_000));
    assertEquals(0, keptFromTheFirst(NOW + 102_000));
  }
}
