package io.millrace.connectors.local.report;

import io.millrace.connectors.local.host.HostClaim;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostProof;
import io.millrace.schemas.output.HostBeat;
import io.millrace.schemas.output.RunSample;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a heartbeat of each of its hosts every few seconds, with what runs have used, past the
 * shards' inboxes. One heartbeat of a host is under way at a time, and a lost one is not sent
 * again: the next one says the same, and a later one tells newer samples.
 */
public final class Heartbeat implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

  /** Reading them takes some ms; a heartbeat is late by no more than this. */
  private static final long SAMPLES_WAIT_MS = 200;

  private final Map<String, Object> config;
  private final RecordCodec codec;
  private final List<BeatingHost> hosts = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private final CountDownLatch stop = new CountDownLatch(1);

  /** Whether the last answer was none; it is said once. */
  private volatile boolean failing;

  /** A host whose heartbeats are sent. */
  private static final class BeatingHost {
    private final HostKey key;
    private final HostClaim claim;
    private final Optional<Samples> samples;
    private volatile boolean underWay;

    BeatingHost(HostKey key, HostClaim claim, Optional<Samples> samples) {
      this.key = key;
      this.claim = claim;
      this.samples = samples;
    }
  }

  public Heartbeat(Map<String, Object> client, RecordCodec codec) {
    this.codec = codec;
    this.config = new HashMap<>(client);
    config.put(ProducerConfig.ACKS_CONFIG, "1");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    config.put(ProducerConfig.RETRIES_CONFIG, 0);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 5000);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1000);
    config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    config.put(ProducerConfig.CLIENT_ID_CONFIG, "millrace-heartbeat");
    this.thread = new Thread(this::run, "millrace-heartbeat");
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /**
   * Sends those of a host, too.
   *
   * @param samples what its runs have used; empty where nobody can tell
   * @return ends that
   */
  public Runnable add(HostKey key, HostClaim claim, Optional<Samples> samples) {
    BeatingHost host = new BeatingHost(key, claim, samples);
    hosts.add(host);
    return () -> hosts.remove(host);
  }

  private void run() {
    boolean more = true;
    while (more) {
      hosts.forEach(it -> it.underWay = false);
      try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config)) {
        while (more) {
          for (BeatingHost host : hosts) {
            if (!host.underWay && !host.claim.lost()) {
              beat(producer, host);
            }
          }
          more = !stop.await(Topics.HEARTBEAT_S, TimeUnit.SECONDS);
        }
        producer.close(Duration.ZERO);
      } catch (InterruptedException | InterruptException e) {
        more = false;
      } catch (KafkaException | IllegalStateException e) {
        log.warn("no heartbeat could be sent, trying again: {}", e.toString());
        more = pause();
      }
    }
  }

  private void beat(KafkaProducer<byte[], byte[]> producer, BeatingHost host)
      throws InterruptedException {
    List<RunSample> used =
        host.samples.isPresent() ? host.samples.get().next(SAMPLES_WAIT_MS) : List.of();
    host.underWay = true;
    byte[] beat = codec.encode(new HostBeat(host.key.host(), host.claim.executor(), used));
    producer.send(
        HostProof.record(host.key, Topics.HEARTBEATS, 0, null, beat),
        (metadata, failure) -> {
          host.underWay = false;
          if (failure != null && !failing && stop.getCount() > 0) {
            log.warn("a heartbeat was not delivered: {}", failure.toString());
          }
          failing = failure != null;
        });
  }

  private boolean pause() {
    try {
      return !stop.await(Topics.HEARTBEAT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Override
  public void close() {
    stop.countDown();
  }
}
