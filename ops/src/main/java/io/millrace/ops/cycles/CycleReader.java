package io.millrace.ops.cycles;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.output.CycleDone;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Reads the topic of cycles. */
final class CycleReader {

  /** Records from the end that are looked through for those of one scheduler object. */
  static final long LOOKED_MAX = 100_000;

  /** Longest time without an answer of the broker. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration POLL = Duration.ofMillis(500);
  private static final TopicPartition PLACE = new TopicPartition(Topics.CYCLES, 0);

  private final Consumer<byte[], byte[]> consumer;
  private final RecordCodec codec;
  private final String scheduler;

  /**
   * @param scheduler whose cycles are wanted; empty for all
   */
  CycleReader(Consumer<byte[], byte[]> consumer, RecordCodec codec, String scheduler) {
    this.consumer = consumer;
    this.codec = codec;
    this.scheduler = scheduler;
    consumer.assign(List.of(PLACE));
  }

  /**
   * The last cycles, the oldest first.
   *
   * @throws TimeoutException when the broker does not answer
   */
  List<CycleDone> last(int most) {
    long end = consumer.endOffsets(List.of(PLACE), PATIENCE).get(PLACE);
    long beginning = consumer.beginningOffsets(List.of(PLACE), PATIENCE).get(PLACE);
    long from = Math.max(beginning, end - (scheduler.isEmpty() ? most : LOOKED_MAX));
    consumer.seek(PLACE, from);
    Deque<CycleDone> last = new ArrayDeque<>();
    long before = -1;
    long since = System.nanoTime();
    for (long at; (at = consumer.position(PLACE, PATIENCE)) < end; ) {
      if (at > before) {
        before = at;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > PATIENCE.toNanos()) {
        throw new TimeoutException("the broker says nothing more");
      }
      for (CycleDone cycle : next()) {
        last.add(cycle);
        if (last.size() > most) {
          last.remove();
        }
      }
    }
    return List.copyOf(last);
  }

  /** Cycles that came since; waits shortly for some. */
  List<CycleDone> next() {
    List<CycleDone> cycles = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      CycleDone cycle = cycle(record.value());
      if (cycle != null && (scheduler.isEmpty() || cycle.getScheduler().equals(scheduler))) {
        cycles.add(cycle);
      }
    }
    return cycles;
  }

  /** Whether the broker answers; waits for it some seconds. */
  boolean answers() {
    try {
      consumer.endOffsets(List.of(PLACE), PATIENCE);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /** The cycle of a record; null for what is none. */
  private CycleDone cycle(byte[] value) {
    try {
      return value != null && codec.decode(value) instanceof CycleDone cycle ? cycle : null;
    } catch (UndecodableRecord e) {
      return null;
    }
  }
}
