package io.millrace.server.streams.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What comes shortly after a commit is decided in one transaction, and nothing of it is lost. */
class GatheredPollTest {
  private static final Duration MARKS = Duration.ofMillis(4);
  private static final TopicPartition ONE = new TopicPartition("commands", 0);
  private static final TopicPartition TWO = new TopicPartition("reports", 0);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final List<Duration> waits = new ArrayList<>();
  private final Deque<Supplier<ConsumerRecords<byte[], byte[]>>> comes = new ArrayDeque<>();
  private long nanos;
  private final GatheredPoll poll = new GatheredPoll(consumer, () -> nanos, MARKS);

  private static ConsumerRecords<byte[], byte[]> records(TopicPartition partition, long... at) {
    List<ConsumerRecord<byte[], byte[]>> some = new ArrayList<>();
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
    for (long offset : at) {
      some.add(new ConsumerRecord<>(partition.topic(), partition.partition(), offset, null, null));
      next.put(partition, new OffsetAndMetadata(offset + 1));
    }
    return new ConsumerRecords<>(Map.of(partition, some), next);
  }

  /** A further poll, which takes a millisecond. */
  private ConsumerRecords<byte[], byte[]> further(Duration wait) {
    waits.add(wait);
    nanos += Duration.ofMillis(1).toNanos();
    return comes.isEmpty() ? ConsumerRecords.empty() : comes.remove().get();
  }

  private static List<Long> offsets(ConsumerRecords<byte[], byte[]> all, TopicPartition of) {
    return all.records(of).stream().map(ConsumerRecord::offset).toList();
  }

  @Test
  void whatComesUntilTheNextTransactionCanBeginIsTakenTogether() {
    nanos = Duration.ofMillis(1).toNanos();
    comes.add(() -> records(ONE, 8, 9));
    comes.add(() -> records(TWO, 3));
    ConsumerRecords<byte[], byte[]> all = poll.from(records(ONE, 7), this::further);
    assertEquals(List.of(7L, 8L, 9L), offsets(all, ONE));
    assertEquals(List.of(3L), offsets(all, TWO));
    assertEquals(10, all.nextOffsets().get(ONE).offset());
    assertEquals(4, all.nextOffsets().get(TWO).offset());
    assertEquals(List.of(Duration.ofMillis(3), Duration.ofMillis(2), Duration.ofMillis(1)), waits);
    nanos = Duration.ofMillis(3).toNanos();
    assertEquals(
        List.of(10L), offsets(poll.from(records(ONE, 10), this::further), ONE), "only once");
  }

  @Test
  void nobodyWaitsWhenTheLastCommitIsLongPast() {
    nanos = MARKS.toNanos();
    ConsumerRecords<byte[], byte[]> first = records(ONE, 7);
    assertSame(first, poll.from(first, this::further));
    nanos = 0;
    assertSame(ConsumerRecords.EMPTY, poll.from(ConsumerRecords.empty(), this::further));
    GatheredPoll never = new GatheredPoll(consumer, () -> nanos, Duration.ZERO);
    assertSame(first, never.from(first, this::further));
    assertEquals(List.of(), waits);
  }

  @Test
  void whoHasEnoughToDoDoesNotWait() {
    long[] many = LongStream.range(0, GatheredPoll.ENOUGH).toArray();
    ConsumerRecords<byte[], byte[]> first = records(ONE, many);
    assertSame(first, poll.from(first, this::further));
    comes.add(() -> records(TWO, many));
    assertEquals(many.length + 1, poll.from(records(ONE, 7), this::further).count());
    assertEquals(List.of(MARKS), waits);
  }

  @Test
  void whatGoesToAnotherServerMeanwhileIsLeftToIt() {
    comes.add(
        () -> {
          poll.revoked(List.of(ONE));
          return records(TWO, 4);
        });
    ConsumerRecords<byte[], byte[]> all = poll.from(records(ONE, 7), this::further);
    assertEquals(List.of(), offsets(all, ONE));
    assertEquals(List.of(4L), offsets(all, TWO));
    assertEquals(List.of(TWO), List.copyOf(all.nextOffsets().keySet()));
  }

  @Test
  void whatWasPolledBeforeAFailureIsPolledAgain() {
    consumer.assign(List.of(ONE, TWO));
    consumer.seek(ONE, 9);
    consumer.seek(TWO, 4);
    comes.add(() -> records(ONE, 8));
    comes.add(
        () -> {
          throw new KafkaException("planted");
        });
    assertThrows(
        KafkaException.class, () -> poll.from(records(ONE, 7), this::further), "not hidden");
    assertEquals(7, consumer.position(ONE));
    assertEquals(4, consumer.position(TWO), "nothing of it was polled");
    comes.add(
        () -> {
          consumer.assign(List.of(TWO));
          throw new KafkaException("planted");
        });
    assertThrows(
        KafkaException.class, () -> poll.from(records(ONE, 7), this::further), "its own reason");
  }
}
