package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ObjectDeleted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LedgerReaderTest {
  private static final TopicPartition LEDGER = new TopicPartition(Topics.LEDGER, 0);
  private static final int BEFORE = 20;
  private static final int MOST_POLLS = 1_000;

  private final WireCodec codec = WireCodec.local();

  /** Beside a busy shard the end has moved on whenever it is asked for. */
  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>("earliest") {
        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(
            Collection<TopicPartition> partitions) {
          if (busy) {
            write();
          }
          return super.endOffsets(partitions);
        }
      };

  private final List<String> read = new ArrayList<>();
  private boolean busy;
  private long next;

  private void write() {
    FactMeta meta = new FactMeta(next + 1, 1_700_000_000_000L, new CommandId(new byte[16]), "");
    ObjectDeleted fact = new ObjectDeleted(meta, ObjectKind.NODE, "n" + next, 1L);
    consumer.addRecord(
        new ConsumerRecord<>(LEDGER.topic(), 0, next++, new byte[0], codec.encode(fact)));
    consumer.updateEndOffsets(Map.of(LEDGER, next));
  }

  private void keep(LedgerReader.KeyedRecord entry) {
    read.add(((ObjectDeleted) entry.value()).getName());
  }

  @Test
  void whoCatchesUpBesideABusyShardComesToAnEndAndMissesNothing() {
    LedgerReader reader = new LedgerReader(consumer, LEDGER, codec);
    consumer.updateBeginningOffsets(Map.of(LEDGER, 0L));
    for (int i = 0; i < BEFORE; i++) {
      write();
    }
    busy = true;
    AtomicInteger looks = new AtomicInteger();
    reader.catchUp(() -> looks.incrementAndGet() > MOST_POLLS, this::keep);
    assertTrue(looks.get() < MOST_POLLS, "it would read for ever");
    assertTrue(read.size() >= BEFORE, read.toString());
    busy = false;
    reader.catchUp(() -> false, this::keep);
    assertEquals(LongStream.range(0, next).mapToObj(i -> "n" + i).toList(), read);
  }

  @Test
  void whoIsAtTheEndReadsNothing() {
    LedgerReader reader = new LedgerReader(consumer, LEDGER, codec);
    consumer.updateBeginningOffsets(Map.of(LEDGER, 0L));
    consumer.updateEndOffsets(Map.of(LEDGER, 0L));
    reader.catchUp(() -> false, this::keep);
    assertEquals(List.of(), read);
  }
}
