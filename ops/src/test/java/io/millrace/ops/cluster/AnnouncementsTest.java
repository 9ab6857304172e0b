package io.millrace.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.SchemaIds;
import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.output.ShardOwner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What owners say while a drain waits for them. */
class AnnouncementsTest {

  private static final TopicPartition PLACE = new TopicPartition(Topics.CLUSTER, 0);

  private final RecordCodec codec = new WireCodec(SchemaIds.local());
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

  private void comes(long offset, byte... value) {
    consumer.addRecord(new ConsumerRecord<>(Topics.CLUSTER, 0, offset, new byte[0], value));
  }

  @Test
  void whatWasSaidBeforeDoesNotCountAndASilentBrokerIsNoEnd() {
    try (Announcements said = new Announcements(consumer, codec)) {
      consumer.updateBeginningOffsets(Map.of(PLACE, 0L));
      consumer.updateEndOffsets(Map.of(PLACE, 1L));
      comes(0, codec.encode(new ShardOwner(0, "n1:1", 1L)));
      said.fromNowOn();
      assertEquals(List.of(), said.look(Duration.ZERO));
      ShardOwner next = new ShardOwner(0, "n2:1", 2L);
      comes(1, (byte) 42);
      comes(2, codec.encode(next));
      assertEquals(List.of(next), said.look(Duration.ZERO));
      assertEquals(List.of(), said.look(Duration.ZERO));
    }
  }
}
