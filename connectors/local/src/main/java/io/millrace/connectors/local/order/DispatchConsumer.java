package io.millrace.connectors.local.order;

import io.millrace.connectors.local.host.ExecutorSettings;
import io.millrace.schemas.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer of one Kafka partition of the topic dispatch, without a group: its position is in
 * the spool. Used by one thread, but for {@link #wakeUp}.
 */
public final class DispatchConsumer implements AutoCloseable, Lookahead.OrderSource {
  /** Time limit of one request to the broker. */
  public static final Duration PATIENCE = Duration.ofSeconds(4);

  /**
   * How long the broker holds a question for orders that nothing answers yet; an order answers it
   * at once. Less than the usual time limit of a request.
   */
  static final Duration IDLE = Duration.ofSeconds(10);

  /** While the broker does not answer, every so many requests are logged. */
  private static final int SAID_EVERY = 8;

  private static final Logger log = LoggerFactory.getLogger(DispatchConsumer.class);

  private final Map<String, Object> config;
  private final TopicPartition source;
  private final String clusterId;
  private KafkaConsumer<String, byte[]> consumer;

  private DispatchConsumer(Map<String, Object> config, TopicPartition source, String clusterId) {
    this.config = config;
    this.source = source;
    this.clusterId = clusterId;
    this.consumer = connect();
  }

  /**
   * @param clusterId of the brokers
   */
  public static DispatchConsumer open(ExecutorSettings settings, String clusterId) {
    Map<String, Object> config = new HashMap<>(settings.kafka());
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) IDLE.toMillis());
    // Beginning again with the oldest record would carry out old orders a second time.
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "millrace-executor-dispatch");
    int partition = Topics.dispatchPartition(settings.host());
    return new DispatchConsumer(config, new TopicPartition(Topics.DISPATCH, partition), clusterId);
  }

  public String clusterId() {
    return clusterId;
  }

  public int partition() {
    return source.partition();
  }

  /**
   * Goes to the position; a spool without one begins behind all orders that exist. So does one
   * whose position is doubtful: the shards ask after the runs of the orders that are left out, and
   * order them under new numbers.
   */
  public void seek(DispatchPosition position) throws IOException {
    OptionalLong offset = position.read();
    try {
      if (offset.isEmpty() || position.doubtful()) {
        position.write(end());
        if (offset.isPresent()) {
          log.warn(
              "the host was started anew while an executor was at work, and the spool is not"
                  + " durable: orders at {} from {} to {} are left out, the shards ask after them",
              source,
              offset.getAsLong(),
              position.read().getAsLong());
        }
        consumer.seek(source, position.read().getAsLong());
      } else {
        returnToOrders(offset.getAsLong(), OptionalLong.empty());
      }
    } catch (KafkaException e) {
      throw new IOException("topic " + Topics.DISPATCH + ": " + e.getMessage(), e);
    }
  }

  /** Finds the position from which to go on when the topic has no records at the current one. */
  long returnToOrders(OffsetOutOfRangeException gone) {
    long offset = gone.offsetOutOfRangePartitions().get(source);
    OffsetAndMetadata cut =
        gone instanceof LogTruncationException truncation
            ? truncation.divergentOffsets().get(source)
            : null;
    return returnToOrders(
        offset, cut == null ? OptionalLong.empty() : OptionalLong.of(cut.offset()));
  }

  /**
   * Moves an offset into the range of existing records. When the broker lost records, their offsets
   * are used again from that point on; if the point is not known, only the end is safe from
   * carrying out an order twice.
   */
  private long returnToOrders(long offset, OptionalLong cut) {
    long first = consumer.beginningOffsets(List.of(source), PATIENCE).get(source);
    long end = end();
    long next = offset;
    if (cut.isPresent() || offset > end) {
      next = Math.max(first, Math.min(end, cut.orElse(end)));
      log.error(
          "{} ends at offset {} although orders up to {} were carried out: the broker lost records;"
              + " going on at {}",
          source,
          end,
          offset,
          next);
    } else if (offset < first) {
      next = first;
      log.error(
          "{} begins at offset {}: the orders from {} on were removed before this host read them",
          source,
          first,
          offset);
    }
    consumer.seek(source, next);
    return next;
  }

  private long end() {
    return consumer.endOffsets(List.of(source), PATIENCE).get(source);
  }

  @Override
  public ConsumerRecords<String, byte[]> poll(Duration patience) {
    return consumer.poll(patience);
  }

  /** With another consumer: this one's question for what is new may be under way for long. */
  @Override
  public void seek(long offset) {
    renew(offset);
  }

  /** The offset of the next record; moves over the marks of transactions too. */
  long next() {
    return consumer.position(source);
  }

  /** Replaces a consumer that failed; goes on at the given offset. */
  void renew(long offset) {
    closeConsumer();
    consumer = connect();
    consumer.seek(source, offset);
  }

  void wakeUp() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    closeConsumer();
  }

  private KafkaConsumer<String, byte[]> connect() {
    KafkaConsumer<String, byte[]> made = new KafkaConsumer<>(config);
    made.assign(List.of(source));
    return made;
  }

  /** Does not wait for the answer to the last question; there is no group to leave. */
  private void closeConsumer() {
    try {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    } catch (KafkaException e) {
      log.debug("the consumer of orders did not close in time: {}", e.toString());
    }
  }

  /**
   * The cluster's id; repeats the request until the broker answers: after a power cut hosts start
   * in any order, and an executor that gave up would be missing until somebody noticed.
   *
   * @throws IOException in one line, when the broker answers with a refusal or its address is wrong
   */
  public static String clusterId(Map<String, Object> kafka) throws IOException {
    Map<String, Object> config = new HashMap<>(kafka);
    config.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
    config.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
    Object servers = kafka.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    try (Admin admin = Admin.create(config)) {
      for (int asked = 0; ; asked++) {
        try {
          return admin.describeCluster().clusterId().get();
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof RetriableException)) {
            throw new IOException(
                "Kafka at " + servers + " refuses: " + e.getCause().getMessage(), e);
          }
          if (asked % SAID_EVERY == 0) {
            log.warn("no answer from Kafka at {}; waiting for it", servers);
          }
        }
      }
    } catch (KafkaException e) {
      throw new IOException("Kafka at " + servers + " cannot be asked: " + oneLine(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for Kafka at " + servers, e);
    }
  }

  /** Kafka says what is wrong in the innermost exception. */
  private static String oneLine(Throwable e) {
    Throwable innermost = e;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return String.valueOf(innermost.getMessage()).replace('\n', ' ');
  }
}
