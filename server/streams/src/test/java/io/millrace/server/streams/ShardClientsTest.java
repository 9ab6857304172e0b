package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.server.streams.ShardClients.PollPatience;
import java.time.Duration;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** How long the shards' thread waits for a command. */
class ShardClientsTest {
  private static final Duration USUAL = Duration.ofMillis(50);
  private static final Set<TopicPartition> ONE = Set.of(new TopicPartition("commands", 0));

  private long nanos;
  private final PollPatience patience = new PollPatience(() -> nanos);

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
}
