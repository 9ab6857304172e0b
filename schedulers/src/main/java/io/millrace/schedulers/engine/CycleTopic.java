package io.millrace.schedulers.engine;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.output.CycleDone;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a record of each cycle to the topic {@code cycles}, outside of all transactions and on a
 * thread of its own: no cycle waits for the broker. What the broker does not take in time is lost
 * and counted; nothing is decided by it.
 */
public final class CycleTopic implements Consumer<CycleDone>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CycleTopic.class);

  /** Most records that wait to be sent. */
  private static final int WAITING_MAX = 2_000;

  private static final String LINGER_MS = "100";
  private static final String REQUEST_MS = "10000";
  private static final String DELIVERY_MS = "30000";

  private final BlockingQueue<CycleDone> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final AtomicLong lost = new AtomicLong();
  private final Producer<byte[], byte[]> producer;
  private final RecordCodec codec;
  private final Thread thread;

  public CycleTopic(Map<String, Object> kafka, RecordCodec codec) {
    this(
        new KafkaProducer<>(settings(kafka), new ByteArraySerializer(), new ByteArraySerializer()),
        codec);
  }

  CycleTopic(Producer<byte[], byte[]> producer, RecordCodec codec) {
    this.producer = producer;
    this.codec = codec;
    this.thread = new Thread(this::work, "cycle-records");
    thread.setDaemon(true);
    thread.start();
  }

  private static Map<String, Object> settings(Map<String, Object> kafka) {
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put(ProducerConfig.ACKS_CONFIG, "1");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "false");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MS);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MS);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MS);
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "millrace-cycles");
    return settings;
  }

  @Override
  public void accept(CycleDone cycle) {
    if (!waiting.offer(cycle)) {
      lost.incrementAndGet();
    }
  }

  /** Records that were not written. */
  long lost() {
    return lost.get();
  }

  private void work() {
    try {
      while (true) {
        send(waiting.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(CycleDone cycle) throws InterruptedException {
    try {
      byte[] value = codec.encode(cycle);
      producer.send(
          new ProducerRecord<>(Topics.CYCLES, 0, null, value),
          (metadata, failure) -> told(failure));
    } catch (KafkaException | IllegalStateException e) {
      if (thread.isInterrupted()) {
        throw new InterruptedException();
      }
      told(e);
    }
  }

  private void told(Exception failure) {
    if (failure != null && lost.getAndIncrement() % 1_000 == 0) {
      LOG.warn("records of cycles are lost, {} so far: {}", lost.get(), failure.toString());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    producer.close(Duration.ofSeconds(1));
  }
}
