package io.millrace.server.gateway.link;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
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
  enum Start {
    BEGINNING,
    END
  }

  private static final Logger LOG = LoggerFactory.getLogger(TopicReader.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long RETRY_MS = 250;

  private final Map<String, Object> kafka;
  private final TopicPartition partition;
  private final Start from;
  private final Consumer<ConsumerRecord<byte[], byte[]>> each;
  private final Thread thread;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Object moved = new Object();
  private volatile KafkaConsumer<byte[], byte[]> consumer;
  private volatile long position = -1;

  TopicReader(
      String name,
      Map<String, Object> kafka,
      TopicPartition partition,
      Start from,
      Consumer<ConsumerRecord<byte[], byte[]>> each) {
    this.kafka = kafka;
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
      try (KafkaConsumer<byte[], byte[]> opened = open()) {
        consumer = opened;
        read(opened);
      } catch (WakeupException | InterruptException e) {
        LOG.debug("{} ends", thread.getName());
      } catch (KafkaException e) {
        LOG.warn("{}: {}; trying again", partition, e.toString());
        pause();
      }
    }
  }

  private void read(KafkaConsumer<byte[], byte[]> opened) {
    opened.assign(List.of(partition));
    if (position >= 0) {
      opened.seek(partition, position);
    } else if (from == Start.END) {
      opened.seekToEnd(List.of(partition));
      advance(opened.position(partition));
      ready.countDown();
    } else {
      opened.seekToBeginning(List.of(partition));
      advance(opened.position(partition));
    }
    long end = endOffset(opened);
    while (stop.getCount() > 0) {
      opened.poll(POLL).records(partition).forEach(each);
      advance(opened.position(partition));
      if (position >= end) {
        ready.countDown();
      }
    }
  }

  private long endOffset(KafkaConsumer<byte[], byte[]> opened) {
    return opened.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
  }

  private void advance(long to) {
    synchronized (moved) {
      position = to;
      moved.notifyAll();
    }
  }

  private KafkaConsumer<byte[], byte[]> open() {
    Map<String, Object> properties = new HashMap<>(kafka);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private void pause() {
    try {
      stop.await(RETRY_MS, java.util.concurrent.TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stop.countDown();
    KafkaConsumer<byte[], byte[]> open = consumer;
    if (open != null) {
      open.wakeup();
    }
  }
}
