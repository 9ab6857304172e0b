package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.server.streams.ShardClients.PollPatience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** How long the shards' thread waits for a command. */
class ShardClientsTest {
  private static final Duration USUAL = Duration.ofMillis(50);
  private static final Duration PIECE = Duration.ofMillis(100);
  private static final Set<TopicPartition> ONE = Set.of(new TopicPartition("commands", 0));

  private long nanos;
  private final PollPatience patience = new PollPatience(() -> nanos, PIECE);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private Duration next(boolean records, Set<TopicPartition> assigned) {
    Duration wait = patience.of(USUAL);
    patience.polled(records, assigned);
    return wait;
  }

  @Test
  void waitsLongerOnceNothingHasComeForAWhile() {
    next(true, ONE);
    pass(Duration.ofSeconds(2));
    assertEquals(USUAL, next(false, ONE), "what was decided waits for its commit");
    pass(Duration.ofSeconds(2));
    assertEquals(PollPatience.QUIET_POLL, next(false, ONE));
    assertEquals(PollPatience.QUIET_POLL, next(true, ONE));
    assertEquals(USUAL, next(false, ONE), "a command came");
  }

  @Test
  void waitsASecondWhenAllIsIdle() {
    next(true, ONE);
    pass(Duration.ofSeconds(59));
    assertEquals(PollPatience.QUIET_POLL, next(false, ONE));
    pass(Duration.ofSeconds(2));
    assertEquals(PollPatience.IDLE_POLL, next(false, ONE));
    assertEquals(PollPatience.IDLE_POLL, next(true, ONE));
    assertEquals(USUAL, next(false, ONE), "a command came");
  }

  @Test
  void isAwakeWhileShardsComeAndGo() {
    next(false, ONE);
    pass(Duration.ofSeconds(10));
    assertEquals(PollPatience.QUIET_POLL, next(false, Set.of()));
    assertEquals(USUAL, next(false, Set.of()), "a shard has gone");
    pass(Duration.ofSeconds(10));
    assertEquals(Duration.ZERO, patience.of(Duration.ZERO));
    assertEquals(USUAL, next(false, Set.of()), "the thread had something else to do");
  }

  /** The waits of one poll after an idle minute; the last one brings something. */
  private List<Duration> pieces(int brings, long timerMs) {
    next(true, ONE);
    pass(Duration.ofSeconds(61));
    List<Duration> waits = new ArrayList<>();
    patience.poll(
        USUAL,
        timerMs,
        wait -> {
          pass(wait);
          waits.add(wait);
          return waits.size() == brings;
        },
        brought -> brought);
    return waits;
  }

  @Test
  void whatTurnsUpWithoutCommandsEndsALongWait() {
    assertEquals(Collections.nCopies(10, PIECE), pieces(0, Long.MAX_VALUE));
    assertEquals(
        Collections.nCopies(3, PIECE), pieces(3, Long.MAX_VALUE), "shards were divided anew");
    List<Duration> once = new ArrayList<>();
    patience.poll(Duration.ZERO, Long.MAX_VALUE, once::add, brought -> false);
    assertEquals(List.of(Duration.ZERO), once);
  }

  @Test
  void waitsNoLongerThanUntilATimerIsDue() {
    assertEquals(List.of(PIECE, Duration.ofMillis(30)), pieces(0, 130));
    assertEquals(List.of(Duration.ofMillis(7)), pieces(0, 7));
  }
}
