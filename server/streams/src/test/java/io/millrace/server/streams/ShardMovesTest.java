package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.broker.DroppedRecords;
import io.millrace.server.streams.group.PlannedLeave;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Partitions that are given away close their task, and nothing of them is dropped. */
class ShardMovesTest {
  private final TopicPartition given = new TopicPartition("messages", 2);
  private final DroppedRecords dropped = new DroppedRecords();

  /** As Kafka Streams closes the task of what goes. */
  private final ConsumerRebalanceListener streams =
      new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
          // Tasks are made later.
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
          partitions.forEach(gone -> dropped.closed(it -> it.equals(gone)));
        }
      };

  private final ConsumerRebalanceListener listener =
      new ShardClients.Ahead(
          streams,
          () -> {},
          () -> {},
          gone -> {},
          dropped,
          new PlannedLeave(() -> false, () -> {}));

  @Test
  void whatIsRevokedAndComesBackIsReadFromWhatWasCommitted() {
    listener.onPartitionsRevoked(List.of(given));
    assertEquals(Optional.empty(), dropped.behind(Set.of(given)));
  }

  @Test
  void whatIsLostAndComesBackIsReadFromWhatWasCommitted() {
    listener.onPartitionsLost(List.of(given));
    assertEquals(Optional.empty(), dropped.behind(Set.of(given)));
  }

  @Test
  void whatIsGivenAnewAfterItsTaskWasClosedIsToo() {
    dropped.closed(it -> it.equals(given));
    listener.onPartitionsAssigned(List.of(given));
    assertEquals(Optional.empty(), dropped.behind(Set.of(given)));
  }
}
