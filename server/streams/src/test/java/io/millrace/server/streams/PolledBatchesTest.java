package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class PolledBatchesTest {
  private static final TopicPartition COMMANDS = new TopicPartition(Topics.COMMANDS, 1);
  private static final TopicPartition REPORTS = new TopicPartition(Topics.REPORTS, 1);

  private final PolledBatches polled = new PolledBatches();

  @Test
  void theInboxIsDrainedWhenAllTopicsAre() {
    polled.polled(COMMANDS, 6);
    polled.polled(REPORTS, 3);
    assertFalse(polled.takesLast(COMMANDS, 5));
    assertFalse(polled.takesLast(COMMANDS, 6));
    assertFalse(polled.takesLast(REPORTS, 2));
    assertTrue(polled.takesLast(REPORTS, 3));
    polled.polled(COMMANDS, 8);
    assertFalse(polled.takesLast(COMMANDS, 7));
    assertTrue(polled.takesLast(COMMANDS, 8));
  }

  @Test
  void otherShardsDoNotCount() {
    polled.polled(COMMANDS, 6);
    polled.polled(new TopicPartition(Topics.REPORTS, 2), 3);
    assertTrue(polled.takesLast(COMMANDS, 6));
  }

  @Test
  void whatIsReadAgainAfterAFailureCountsAgain() {
    polled.polled(COMMANDS, 6);
    assertTrue(polled.takesLast(COMMANDS, 6));
    polled.polled(COMMANDS, 6);
    assertFalse(polled.takesLast(COMMANDS, 5));
    assertTrue(polled.takesLast(COMMANDS, 6));
  }

  @Test
  void whatWasPolledBeforeTheShardWasElsewhereIsNotWaitedFor() {
    TopicPartition other = new TopicPartition(Topics.REPORTS, 2);
    polled.polled(COMMANDS, 6);
    polled.polled(other, 3);
    polled.forget(1);
    polled.polled(REPORTS, 9);
    assertTrue(polled.takesLast(REPORTS, 9));
    assertFalse(polled.takesLast(new TopicPartition(Topics.COMMANDS, 2), 1));
  }
}
