package io.millrace.connectors.local.report;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.hostkey.HostProof;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends reports until the broker has them. A report that failed is sent again; a producer that is
 * broken is replaced. The number of waiting reports is bounded by the runs that are not released.
 */
public final class ReportSender implements AutoCloseable {
  /** The first report after an idle hour does not wait for the topic's metadata. */
  private static final int METADATA_IDLE_MS = 86_400_000;

  private static final Logger log = LoggerFactory.getLogger(ReportSender.class);
  private static final int OUTSTANDING_MAX = 5000;
  private static final long BACK_OFF_MS = 500;

  /**
   * The producer's linger: no start waits for a report, and sending several at once costs broker
   * and shard far less.
   */
  private static final int GATHER_MS = 5;

  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

  private final Map<String, Object> config;
  private final RecordCodec codec;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final WaitingReports waiting = new WaitingReports();
  private final Deque<Report> failed = new ArrayDeque<>();
  private int outstanding;
  private boolean broken;
  private boolean closed;

  public ReportSender(Map<String, Object> clientConfig, RecordCodec codec) {
    this.codec = codec;
    this.config = new HashMap<>(clientConfig);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.LINGER_MS_CONFIG, GATHER_MS);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    config.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, METADATA_IDLE_MS);
    config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    config.put(ProducerConfig.CLIENT_ID_CONFIG, "millrace-executor-reports");
    this.thread = new Thread(this::run, "millrace-reports");
    thread.setDaemon(true);
    thread.start();
  }

  /** Reports that the brokers have not acknowledged yet. */
  public int undelivered() {
    lock.lock();
    try {
      return waiting.size() + outstanding + failed.size();
    } finally {
      lock.unlock();
    }
  }

  public void send(Report report) {
    lock.lock();
    try {
      waiting.add(report, System.nanoTime());
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all that was sent is delivered, or some seconds have passed. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    boolean interrupted = Thread.interrupted();
    try {
      thread.join(CLOSE_PATIENCE.multipliedBy(2).toMillis());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns when no report of it can be acknowledged any more. */
  public void awaitEnd() throws InterruptedException {
    thread.join();
  }

  private void run() {
    boolean more = true;
    while (more) {
      try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config)) {
        more = sendWith(producer);
        // Closing at once fails all records in flight, in order; they are sent again.
        producer.close(more ? Duration.ZERO : CLOSE_PATIENCE);
        if (more) {
          takeBackFailed();
          more = pause();
        }
      } catch (InterruptException e) {
        more = false;
      } catch (KafkaException e) {
        log.error("the producer of reports failed; making another one: {}", e.getMessage());
        more = pause();
      }
    }
  }

  /** Sends until the producer breaks (true) or all is sent after {@link #close} (false). */
  private boolean sendWith(KafkaProducer<byte[], byte[]> producer) {
    lock.lock();
    try {
      broken = false;
    } finally {
      lock.unlock();
    }
    for (Report report = take(); report != null; report = take()) {
      try {
        send(producer, report);
      } catch (KafkaException | IllegalStateException e) {
        answered(report, e); // the producer refused to take it
      }
    }
    lock.lock();
    try {
      return broken;
    } finally {
      lock.unlock();
    }
  }

  /** One to a shard that does not exist, whose order was none of a shard's, is left out. */
  private void send(KafkaProducer<byte[], byte[]> producer, Report report) {
    int shards = producer.partitionsFor(Topics.REPORTS).size();
    if (report.shard() < 0 || report.shard() >= shards) {
      log.warn("a report is left out: there is no shard {}", report.shard());
      answered(report, null);
      return;
    }
    producer.send(
        HostProof.record(
            report.host(),
            Topics.REPORTS,
            report.shard(),
            report.key().array(),
            codec.encode(report.command())),
        (metadata, failure) -> answered(report, failure));
  }

  /** The next report; null when the producer broke, or everything is sent after close. */
  private Report take() {
    lock.lock();
    try {
      while (!broken
          && (waiting.isEmpty() || outstanding >= OUTSTANDING_MAX)
          && !(closed && waiting.isEmpty())) {
        changed.awaitUninterruptibly();
      }
      gather();
      if (broken || waiting.isEmpty()) {
        return null;
      }
      outstanding++;
      return waiting.remove(System.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /** Waits for what goes together with reports that may wait; the lock is held. */
  private void gather() {
    long left = waiting.isEmpty() ? 0 : waiting.patienceNanos(System.nanoTime());
    while (!broken && !closed && left > 0) {
      try {
        changed.awaitNanos(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      left = waiting.patienceNanos(System.nanoTime());
    }
  }

  private void answered(Report report, Exception why) {
    boolean hopeless = why instanceof RecordTooLargeException;
    if (hopeless) {
      // Sent again it would be refused again, and keep all others waiting.
      log.warn("a report is left out: {}", why.getMessage());
    }
    Exception failure = hopeless ? null : why;
    if (failure == null) {
      report.delivered().run();
    }
    lock.lock();
    try {
      outstanding--;
      if (failure != null) {
        failed.addLast(report);
        Measures.ofProcess().count(Metric.REPORTS_REPEATED);
        // After a time-out the idempotent producer may have a gap in its sequence: a new one is
        // cheap, and reports may come twice.
        if (!broken) {
          log.warn("a report was not delivered and is sent again: {}", failure.toString());
        }
        broken = true;
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void takeBackFailed() {
    lock.lock();
    try {
      while (!failed.isEmpty()) {
        waiting.putBack(failed.removeLast(), System.nanoTime());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits before another try; false when the sender is closed. */
  private boolean pause() {
    lock.lock();
    try {
      if (!closed) {
        changed.awaitNanos(BACK_OFF_MS * 1_000_000);
      }
      return !closed;
    } catch (InterruptedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }
}
