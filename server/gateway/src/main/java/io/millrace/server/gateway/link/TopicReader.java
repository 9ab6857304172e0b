package io.millrace.server.gateway.link;

import io.millrace.schemas.health.BrokerContact;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one Kafka partition, committed records only, on a thread of its own, for as long as it is
 * open. After an error it goes on where it was, with a new consumer.
 */
final class TopicReader implements AutoCloseable {

  /** Where the first read begins. */
  enum ReadStart {
    BEGINNING,
    END
  }

  private static final Logger LOG = LoggerFactory.getLogger(TopicReader.class);

  /**
   * How long the broker holds a question that nothing answers yet; a record answers it at once.
   * Less than the time limit of a request.
   */
  private static final Duration POLL = Duration.ofSeconds(10);

  /** Without an answer for so long there is no broker. */
  private static final Duration SILENCE = POLL.multipliedBy(2);

  private static final long RETRY_MS = 250;
  private static final long FAILED_MS = 2_000;

  private record ReadingConsumer(Consumer<byte[], byte[]> consumer, BrokerContact contact) {}

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final TopicPartition partition;
  private final ReadStart from;
  private final java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> each;
  private final Thread thread;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Object moved = new Object();
  private volatile ReadingConsumer reading;
  private volatile long position = -1;

  /**
   * @param consumers makes a consumer, see {@link #consumer}; a new one after each failure
   * @param each told each record, more than once after a failure
   */
  TopicReader(
      String name,
      Supplier<Consumer<byte[], byte[]>> consumers,
      TopicPartition partition,
      ReadStart from,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> each) {
    this.consumers = consumers;
    this.partition = partition;
    this.from = from;
    this.each = each;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Waits until the partition exists and, when read from the beginning, its end was reached. */
  void awaitReady() throws InterruptedException {
    ready.await();
  }

  /** Whether a broker is connected now. */
  boolean connected() {
    ReadingConsumer open = reading;
    return open != null && open.contact.is(open.consumer.metrics());
  }

  TopicPartition partition() {
    return partition;
  }

  /** Waits until everything before the offset was read; false when the time ran out first. */
  boolean awaitPosition(long offset, Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    synchronized (moved) {
      while (position < offset) {
        long leftMs = (deadline - System.nanoTime()) / 1_000_000;
        if (leftMs <= 0) {
          return false;
        }
        moved.wait(leftMs);
      }
      return true;
    }
  }

  private void run() {
    while (stop.getCount() > 0) {
      try {
        readWith(consumers.get());
      } catch (WakeupException | InterruptException e) {
        LOG.debug("{} ends", thread.getName());
      } catch (KafkaException e) {
        LOG.warn("{}: {}; trying again", partition, e.toString());
        pause(RETRY_MS);
      } catch (RuntimeException e) {
        // Without this thread no reply arrives; the failure may be a registry that cannot be
        // reached.
        LOG.error("{} at {} failed; trying again", partition, position, e);
        pause(FAILED_MS);
      }
    }
  }

  /** Does not wait for the answer to the last question at the end; there is no group to leave. */
  private void readWith(Consumer<byte[], byte[]> opened) {
    reading = new ReadingConsumer(opened, new BrokerContact(SILENCE));
    try {
      read(opened);
    } finally {
      opened.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  private void read(Consumer<byte[], byte[]> opened) {
    opened.assign(List.of(partition));
    if (position >= 0) {
      opened.seek(partition, position);
    } else if (from == ReadStart.END) {
      opened.seekToEnd(List.of(partition));
      advance(opened.position(partition));
      ready.countDown();
    } else {
      opened.seekToBeginning(List.of(partition));
      advance(opened.position(partition));
    }
    long end = endOffset(opened);
    while (stop.getCount() > 0) {
      if (position >= end) {
        // Where nothing is left to read, the next question is answered after all of its time.
        ready.countDown();
      }
      opened.poll(POLL).records(partition).forEach(each);
      advance(opened.position(partition));
    }
  }

  private long endOffset(Consumer<byte[], byte[]> opened) {
    return opened.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
  }

  private void advance(long to) {
    synchronized (moved) {
      position = to;
      moved.notifyAll();
    }
  }

  /** A consumer of committed records for the settings of a Kafka client. */
  static Consumer<byte[], byte[]> consumer(Map<String, Object> kafka) {
    Map<String, Object> properties = new HashMap<>(kafka);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) POLL.toMillis());
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private void pause(long ms) {
    try {
      stop.await(ms, java.util.concurrent.TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stop.countDown();
    ReadingConsumer open = reading;
    if (open != null) {
      open.consumer.wakeup();
    }
  }
}
