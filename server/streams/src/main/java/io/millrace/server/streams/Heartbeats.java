package io.millrace.server.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostKeys;
import io.millrace.schemas.hostkey.HostProof;
import io.millrace.schemas.output.EngineBeat;
import io.millrace.schemas.output.HostBeat;
import io.millrace.schemas.output.ServerPulse;
import io.millrace.server.streams.engine.EngineLiveness;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to the heartbeats of executors, and to the signs of life of engines apart.
 *
 * <p>Silence is not measured by clocks but in this process's own pulses, which go through the same
 * Kafka partition: while its leader is away or slow no pulse arrives either, and nobody is taken
 * for silent. So each of the two topics has pulses of its own. A pulse is sent when the one before
 * has arrived, so that they do not accumulate.
 */
final class Heartbeats implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);
  private static final TopicPartition SOURCE = new TopicPartition(Topics.HEARTBEATS, 0);
  private static final TopicPartition ENGINES = new TopicPartition(Topics.ENGINE_BEATS, 0);
  private static final Duration OVERDUE_POLL = Duration.ofMillis(500);
  private static final long PULSE_NANOS = TimeUnit.SECONDS.toNanos(Topics.HEARTBEAT_S);

  /** Engines show themselves each second and are to be missed sooner than hosts. */
  private static final long ENGINE_PULSE_S = 1;

  /** Pulses go on for so long after the last engine was heard or asked for. */
  private static final long ENGINES_KEPT_S = 60;

  private static final long RETRY_MS = 1000;

  private final Map<String, Object> client;
  private final RecordCodec codec;

  /**
   * Name of this life of the process, which no executor knows: they write this topic and do not
   * read it, and one that could send pulses would make all others silent.
   */
  private final String life;

  private final Thread thread;
  private final HeartbeatTable heard = new HeartbeatTable(Topics.HEARTBEAT_S);
  private final HeartbeatTable engines = new HeartbeatTable(ENGINE_PULSE_S);
  private final LiveUsages usages = new LiveUsages();
  private final HostKeys keys;
  private final RefusedHeartbeats refused;
  private final List<Pulses> pulses =
      List.of(
          new Pulses(SOURCE, Topics.HEARTBEAT_S, () -> true),
          new Pulses(ENGINES, ENGINE_PULSE_S, this::waitsForEngines));
  private volatile boolean closed;
  private final Map<TopicPartition, Long> positions = new HashMap<>();

  /** The pulses through one topic. */
  private static final class Pulses {
    private final TopicPartition through;
    private final long eachNanos;
    private final BooleanSupplier needed;
    private volatile boolean awaited;
    private long sentNanos;

    /**
     * @param needed whether there is anybody who could be silent
     */
    Pulses(TopicPartition through, long eachS, BooleanSupplier needed) {
      this.through = through;
      this.eachNanos = TimeUnit.SECONDS.toNanos(eachS);
      this.needed = needed;
      this.sentNanos = System.nanoTime() - eachNanos;
    }

    long untilNextNanos() {
      return needed.getAsBoolean() ? eachNanos - (System.nanoTime() - sentNanos) : PULSE_NANOS;
    }
  }

  /**
   * @param server name of this process among those with shards
   * @param keys of the hosts whose heartbeats count
   * @param refusals the audit log: takes a line where heartbeats are refused
   */
  Heartbeats(
      Map<String, Object> client,
      RecordCodec codec,
      String server,
      HostKeys keys,
      Consumer<String> refusals) {
    this.client = client;
    this.codec = codec;
    this.life = server + " " + HostKey.newText(new SecureRandom());
    this.keys = keys;
    this.refused = new RefusedHeartbeats(refusals);
    this.thread = new Thread(this::run, "millrace-heartbeats");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** The heartbeats; kept up to date. */
  ExecutorLiveness heard() {
    return heard;
  }

  /**
   * The signs of life of engines; kept up to date.
   *
   * @param expected scheduler objects whose engines apart are waited for
   */
  EngineLiveness engines(Set<String> expected) {
    return new EngineLiveness() {
      @Override
      public long unheardS(String scheduler, long epoch) {
        return engines.unheardS(scheduler, Long.toString(epoch));
      }

      @Override
      public boolean beats(String scheduler, long epoch) {
        return engines.beats(scheduler, Long.toString(epoch));
      }

      @Override
      public boolean expected(String scheduler) {
        return expected.contains(scheduler);
      }
    };
  }

  /** Whether there is an engine apart that could be silent, or was a minute ago. */
  boolean waitsForEngines() {
    return engines.usedWithin(ENGINES_KEPT_S);
  }

  /** The usage of runs from heartbeats; kept up to date. */
  LiveUsages usages() {
    return usages;
  }

  /** How many executors were heard just now. */
  long executors() {
    return heard.heard();
  }

  /** What its pulses say. */
  String life() {
    return life;
  }

  private void run() {
    while (!closed) {
      pulses.forEach(it -> it.awaited = false);
      try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(listening());
          KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(pulsing())) {
        listen(consumer, producer);
      } catch (WakeupException | InterruptException e) {
        LOG.debug("heartbeats are not listened to any more");
      } catch (KafkaException | IllegalStateException e) {
        LOG.warn("heartbeats cannot be heard, trying again: {}", e.toString());
        pause();
      } catch (RuntimeException e) {
        // Without this thread all hosts would seem to be silent.
        LOG.error("heartbeats cannot be heard, trying again", e);
        pause();
      }
    }
  }

  private void listen(
      KafkaConsumer<byte[], byte[]> consumer, KafkaProducer<byte[], byte[]> producer) {
    List<TopicPartition> sources = List.of(SOURCE, ENGINES);
    consumer.assign(sources);
    for (TopicPartition source : sources) {
      if (positions.containsKey(source)) {
        consumer.seek(source, positions.get(source));
      } else {
        consumer.seekToEnd(List.of(source));
      }
    }
    while (!closed) {
      for (Pulses each : pulses) {
        if (!each.awaited && each.untilNextNanos() <= 0) {
          pulse(producer, each);
        }
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(untilPulse())) {
        hear(record);
      }
      sources.forEach(source -> positions.put(source, consumer.position(source)));
    }
  }

  /** Heartbeats are heard at once; otherwise there is nothing to do before the next pulse. */
  private Duration untilPulse() {
    long leftNanos = pulses.stream().mapToLong(Pulses::untilNextNanos).min().orElse(0);
    return leftNanos <= 0 ? OVERDUE_POLL : Duration.ofNanos(leftNanos);
  }

  private void pulse(KafkaProducer<byte[], byte[]> producer, Pulses which) {
    which.awaited = true;
    which.sentNanos = System.nanoTime();
    byte[] pulse = codec.encode(new ServerPulse(life));
    producer.send(
        new ProducerRecord<>(which.through.topic(), which.through.partition(), null, pulse),
        (metadata, failure) -> {
          which.awaited = false;
          if (failure != null && !closed) {
            LOG.warn("a pulse was not delivered: {}", failure.toString());
          }
        });
  }

  /** What names another host than the one that it proves to come from is not heard. */
  void hear(ConsumerRecord<byte[], byte[]> record) {
    try {
      SpecificRecord beat = codec.decode(record.value());
      if (beat instanceof HostBeat host) {
        // Heard as they come, and their own time is what their writer says.
        String proven = HostProof.host(keys, record, System.currentTimeMillis());
        if (proven.equals(host.getHost()) && !proven.isEmpty()) {
          heard.beat(proven, host.getExecutor());
          usages.heard(proven, host.getSamples());
        } else {
          refused.tell(proven, host.getHost(), record);
        }
      } else if (beat instanceof ServerPulse pulse && pulse.getServer().equals(life)) {
        if (record.topic().equals(Topics.ENGINE_BEATS)) {
          engines.pulse();
        } else {
          heard.pulse();
          usages.pulse();
        }
      } else if (beat instanceof EngineBeat engine && record.topic().equals(Topics.ENGINE_BEATS)) {
        engines.beat(engine.getScheduler(), Long.toString(engine.getEpoch()));
      }
    } catch (UndecodableRecord e) {
      LOG.warn("a heartbeat at offset {} cannot be read: {}", record.offset(), e.getMessage());
    }
  }

  private Map<String, Object> listening() {
    Map<String, Object> config = new HashMap<>(client);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    config.put(
        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) TimeUnit.NANOSECONDS.toMillis(PULSE_NANOS));
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    config.put(CommonClientConfigs.CLIENT_ID_CONFIG, "millrace-heartbeats");
    return config;
  }

  private Map<String, Object> pulsing() {
    Map<String, Object> config = new HashMap<>(client);
    config.put(ProducerConfig.ACKS_CONFIG, "1");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    config.put(ProducerConfig.RETRIES_CONFIG, 0);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 5000);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 500);
    config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    config.put(CommonClientConfigs.CLIENT_ID_CONFIG, "millrace-pulses");
    return config;
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    boolean interrupted = false;
    try {
      thread.join(PULSE_NANOS / 1_000_000);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Writes down heartbeats that do not prove the host that they name: the first, and one in ten
   * minutes of those that go on, as they come every two seconds. Used by one thread.
   */
  private static final class RefusedHeartbeats {
    private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Most hosts that are told apart; a forger may name ever new ones. */
    private static final int HOSTS_MAX = 1_000;

    private final Consumer<String> refusals;
    private final Map<String, Long> told = new HashMap<>();

    RefusedHeartbeats(Consumer<String> refusals) {
      this.refusals = refusals;
    }

    /**
     * @param proven the host that the record comes from; empty when nothing proves it
     * @param named the host that it names
     */
    void tell(String proven, String named, ConsumerRecord<byte[], byte[]> record) {
      String name = HostKey.isHost(named) ? named : "?";
      long now = System.nanoTime();
      told.values().removeIf(at -> now - at >= AGAIN_NANOS);
      String which = proven + " " + name;
      if (told.size() >= HOSTS_MAX || told.putIfAbsent(which, now) != null) {
        return;
      }
      refusals.accept(
          "refused heartbeat"
              + (proven.isEmpty() ? " reason=proof" : " host=" + proven + " reason=host")
              + " claims="
              + name
              + " record="
              + record.topic()
              + "-"
              + record.partition()
              + "@"
              + record.offset());
    }
  }
}
