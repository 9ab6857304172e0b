package io.millrace.server.streams.input;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Commands that are decided in one transaction. A question for commands that is under way while a
 * transaction is committed brings what came first, mostly one command; the rest of what came
 * meanwhile would have a transaction of its own after that one. Brokers with copies of everything
 * begin no next transaction before the last one's marks are in all copies, so that for a moment
 * after a commit it costs nothing to ask again. Used by one thread.
 */
public final class GatheredPoll {
  /** To decide so many takes as long as the marks: nothing is won by a wait. */
  static final int ENOUGH = 20;

  private final Consumer<byte[], byte[]> consumer;
  private final LongSupplier sinceCommitNanos;
  private final long marksNanos;

  /** What was polled and not yet given to the shards. */
  private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();

  private final Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();

  /**
   * @param consumer of the commands
   * @param sinceCommitNanos how long ago a transaction was committed
   * @param marks so long after a commit it is asked again; zero for never
   */
  public GatheredPoll(
      Consumer<byte[], byte[]> consumer, LongSupplier sinceCommitNanos, Duration marks) {
    this.consumer = consumer;
    this.sinceCommitNanos = sinceCommitNanos;
    this.marksNanos = marks.toNanos();
  }

  /**
   * What was polled, and what comes until the next transaction can begin.
   *
   * @param first what was polled
   * @param poll polls again
   */
  public ConsumerRecords<byte[], byte[]> from(
      ConsumerRecords<byte[], byte[]> first,
      Function<Duration, ConsumerRecords<byte[], byte[]>> poll) {
    long left = left();
    if (first.isEmpty() || first.count() >= ENOUGH || left <= 0) {
      return first;
    }
    int count = first.count();
    add(first);
    try {
      while (left > 0 && count < ENOUGH) {
        // Kafka counts in whole milliseconds: less than one is no wait.
        ConsumerRecords<byte[], byte[]> more =
            poll.apply(Duration.ofNanos(Math.max(left, TimeUnit.MILLISECONDS.toNanos(1))));
        add(more);
        count += more.count();
        left = left();
      }
      return new ConsumerRecords<>(new HashMap<>(records), new HashMap<>(next));
    } catch (RuntimeException e) {
      takeBack();
      throw e;
    } finally {
      records.clear();
      next.clear();
    }
  }

  private long left() {
    return marksNanos - sinceCommitNanos.getAsLong();
  }

  private void add(ConsumerRecords<byte[], byte[]> polled) {
    for (TopicPartition partition : polled.partitions()) {
      records
          .computeIfAbsent(partition, some -> new ArrayList<>())
          .addAll(polled.records(partition));
    }
    next.putAll(polled.nextOffsets());
  }

  /** Others get these; what was polled of them and not decided is polled by them. */
  public void revoked(Collection<TopicPartition> partitions) {
    records.keySet().removeAll(partitions);
    next.keySet().removeAll(partitions);
  }

  /** The shards get none of it now, so that it is to be polled again. */
  private void takeBack() {
    records.keySet().retainAll(consumer.assignment());
    records.forEach((partition, polled) -> consumer.seek(partition, polled.get(0).offset()));
  }
}
