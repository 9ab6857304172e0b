package io.millrace.server.gateway.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TopicReaderTest {
  private static final TopicPartition REPLIES = new TopicPartition("replies", 0);

  @Test
  void readsOnAfterARecordThatItsListenerFailedAt() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    AtomicInteger failures = new AtomicInteger();
    TopicReader reader =
        new TopicReader(
            "test-reader",
            TopicReaderTest::twoRecords,
            REPLIES,
            TopicReader.ReadStart.BEGINNING,
            record -> {
              if (record.offset() == 1 && failures.getAndIncrement() == 0) {
                throw new IllegalStateException("planted");
              }
              heard.add(new String(record.value()));
            });
    try (reader) {
      reader.start();
      assertEquals("one", heard.poll(60, TimeUnit.SECONDS));
      assertEquals("one", heard.poll(60, TimeUnit.SECONDS), "the batch comes again");
      assertEquals("two", heard.poll(60, TimeUnit.SECONDS));
      assertTrue(reader.awaitPosition(2, Duration.ofSeconds(60)));
    }
  }

  /** The broker answers a question about it when it has held it for its longest time. */
  @Test
  void whoReadsAnEmptyPartitionWaitsForNoRecord() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    MockConsumer<byte[], byte[]> empty =
        new MockConsumer<>("earliest") {
          @Override
          public ConsumerRecords<byte[], byte[]> poll(Duration longest) {
            try {
              held.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return super.poll(longest);
          }
        };
    empty.updateBeginningOffsets(Map.of(REPLIES, 5L));
    empty.updateEndOffsets(Map.of(REPLIES, 5L));
    TopicReader reader =
        new TopicReader(
            "test-reader", () -> empty, REPLIES, TopicReader.ReadStart.BEGINNING, record -> {});
    try (reader) {
      reader.start();
      assertTimeoutPreemptively(Duration.ofSeconds(60), reader::awaitReady);
    } finally {
      held.countDown();
    }
  }

  private static Consumer<byte[], byte[]> twoRecords() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updateBeginningOffsets(Map.of(REPLIES, 0L));
    consumer.updateEndOffsets(Map.of(REPLIES, 2L));
    consumer.schedulePollTask(
        () ->
            List.of("one", "two")
                .forEach(
                    text ->
                        consumer.addRecord(
                            new ConsumerRecord<>(
                                "replies",
                                0,
                                text.equals("one") ? 0 : 1,
                                new byte[16],
                                text.getBytes()))));
    return consumer;
  }
}
