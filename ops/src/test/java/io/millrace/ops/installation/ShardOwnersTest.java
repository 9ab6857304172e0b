package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.SchemaIds;
import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.output.ShardOwner;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Announced owners, read from a broker that may end meanwhile. */
class ShardOwnersTest {

  private static final TopicPartition PLACE = new TopicPartition(Topics.CLUSTER, 0);

  private final RecordCodec codec = new WireCodec(SchemaIds.local());
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

  /** Fills the mock consumer, as happens after it was assigned its partition. */
  private void announced(int records, int end) {
    consumer.updateBeginningOffsets(Map.of(PLACE, 0L));
    consumer.updateEndOffsets(Map.of(PLACE, (long) end));
    consumer.schedulePollTask(
        () -> {
          for (int i = 0; i < records; i++) {
            byte[] value = codec.encode(new ShardOwner(i % 2, "h:" + i, 1L));
            consumer.addRecord(new ConsumerRecord<>(Topics.CLUSTER, 0, i, new byte[0], value));
          }
        });
  }

  @Test
  void theLastOwnerOfEachShardIsTold() throws Exception {
    announced(3, 3);
    Map<Integer, ShardOwner> owners = ShardOwners.read(consumer, codec, Duration.ofSeconds(30));
    assertEquals(Set.of(0, 1), owners.keySet());
    assertEquals("h:2", owners.get(0).getQueryAddress());
  }

  @Test
  void whatIsNoRecordNamesNoOwner() {
    announced(2, 3);
    consumer.schedulePollTask(
        () ->
            consumer.addRecord(new ConsumerRecord<>(Topics.CLUSTER, 0, 2, null, new byte[] {42})));
    Map<Integer, ShardOwner> owners = ShardOwners.read(consumer, codec, Duration.ofSeconds(30));
    assertEquals(Set.of(0, 1), owners.keySet());
  }

  @Test
  void aBrokerThatEndedIsNotWaitedForForEver() {
    announced(2, 3);
    assertThrows(
        TimeoutException.class, () -> ShardOwners.read(consumer, codec, Duration.ofMillis(200)));
  }
}
