package io.millrace.server.accounting.ledger;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** All partitions of the ledger, committed facts only. */
public interface Ledger extends AutoCloseable {

  /** Takes the facts of a part of one partition. */
  interface PartitionReader {

    /**
     * @return whether to go on
     */
    boolean take(ConsumerRecord<byte[], byte[]> fact);
  }

  /**
   * The next facts; none when none comes in time.
   *
   * @throws org.apache.kafka.clients.consumer.OffsetOutOfRangeException when the place from which a
   *     shard is to be read is not there any more
   */
  ConsumerRecords<byte[], byte[]> poll(Duration wait);

  /** Offset of the first fact that is there, by shard. */
  Map<Integer, Long> begins();

  /** Offset behind the last committed fact of each shard. */
  Map<Integer, Long> ends();

  /** Offset of the next fact of each shard. */
  Map<Integer, Long> positions();

  /** Has {@link #poll} go on from there. */
  void seek(int shard, long offset);

  /**
   * Has {@link #poll} bring the records of another topic of one partition, too.
   *
   * @param next offset from which on they are wanted; empty: those that come from now on
   */
  default void with(String topic, OptionalLong next) {}

  /** Offset of the next record of such a topic; empty when none are wanted. */
  default OptionalLong position(String topic) {
    return OptionalLong.empty();
  }

  /** Reads from an offset up to the present end, beside {@link #poll}. */
  void read(int shard, long from, PartitionReader reader);

  /** By shard, how many records were not fetched yet. For all threads. */
  default Map<String, Double> lags() {
    return Map.of();
  }

  /** Whether a broker is connected now. For all threads. */
  default boolean connected() {
    return true;
  }

  /** Ends a poll that waits; the only other call for another thread. */
  void wake();

  @Override
  void close();
}
