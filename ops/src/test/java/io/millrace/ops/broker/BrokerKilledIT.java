package io.millrace.ops.broker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.Beside;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.init.ClusterInit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded broker dies while a transaction is being committed. */
@Order(3)
@Beside
class BrokerKilledIT {

  private static final boolean NIGHT = Boolean.getBoolean("millrace.night");
  private static final int KILLS = NIGHT ? 5 : 1;

  /** Behind the first: the moment of a kill is by chance. */
  private static final int MORE_TRANSACTIONS = NIGHT ? 200 : 20;

  private static final int PARTITIONS = 16;

  /** Long, since each transaction waits for the disk, which other tests may keep busy. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration LOOK = Duration.ofMillis(1);
  private static final String TOPIC = "written";
  private static final String TRANSACTIONAL_ID = "writer";

  private BrokerProcess broker;

  /** An open transaction of a dead process would hide all records behind it. */
  @Test
  void everyTransactionIsClosedInEveryPartitionAfterSigkill(@TempDir Path folder) throws Exception {
    Random random = new Random(1);
    broker = new BrokerProcess(folder, 1);
    broker.start();
    new ClusterInit(broker.client(KafkaPrincipal.ADMIN), 1, line -> {}).run(true);
    try (Admin admin = Admin.create(broker.client(KafkaPrincipal.ADMIN))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
    }
    for (int kill = 0; kill < KILLS; kill++) {
      killWhileCommitting(random.nextInt(MORE_TRANSACTIONS));
      broker.start();
      try (KafkaProducer<byte[], byte[]> next = producer(writing())) {
        // Aborts what the dead process had not begun to commit.
        next.initTransactions();
      }
      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(KafkaException.class) // it has come back seconds ago
          .untilAsserted(() -> assertTrue(openBefore().isEmpty(), openBefore().toString()));
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    broker.close();
  }

  private void killWhileCommitting(int moreTransactions) throws Exception {
    Writer writer = new Writer(writing());
    writer.start();
    int enough = 20 + moreTransactions;
    try {
      Awaitility.await()
          .pollDelay(Duration.ZERO)
          .pollInterval(LOOK)
          .atMost(PATIENCE)
          .until(() -> writer.committed.get() >= enough || !writer.isAlive());
      assertTrue(
          writer.committed.get() >= enough,
          () -> writer.committed + " of " + enough + " committed; failed: " + writer.failures);
    } finally {
      writer.last = true;
      broker.kill();
      while (writer.isAlive()) {
        writer.producer.close(Duration.ZERO);
        writer.join(LOOK.toMillis());
      }
    }
  }

  /**
   * Commits transactions one after the other, as every writer does with a new producer where one
   * failed: a broker that has just come back may refuse what a producer wrote.
   */
  private static final class Writer extends Thread {
    private final Map<String, Object> config;
    private final AtomicInteger committed = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private volatile KafkaProducer<byte[], byte[]> producer;
    private volatile boolean last;

    Writer(Map<String, Object> config) {
      this.config = config;
    }

    @Override
    public void run() {
      do {
        producer = producer(config);
        try {
          write();
        } catch (KafkaException | IllegalStateException e) {
          failures.add(e + ", cause " + e.getCause());
        } finally {
          producer.close(Duration.ZERO);
        }
      } while (!last);
    }

    private void write() {
      producer.initTransactions();
      while (true) {
        producer.beginTransaction();
        for (int p = 0; p < PARTITIONS; p++) {
          producer.send(new ProducerRecord<>(TOPIC, p, null, new byte[] {1}));
        }
        producer.commitTransaction();
        committed.incrementAndGet();
      }
    }
  }

  private Map<String, Object> writing() throws IOException {
    Map<String, Object> config = new HashMap<>(broker.client(KafkaPrincipal.ADMIN));
    config.put("transactional.id", TRANSACTIONAL_ID);
    config.put("max.block.ms", "120000");
    return config;
  }

  private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> config) {
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Partitions in which an open transaction hides records from readers of committed records. */
  private List<TopicPartition> openBefore() throws Exception {
    List<TopicPartition> all =
        IntStream.range(0, PARTITIONS).mapToObj(p -> new TopicPartition(TOPIC, p)).toList();
    Map<TopicPartition, Long> stable = ends(all, IsolationLevel.READ_COMMITTED);
    Map<TopicPartition, Long> written = ends(all, IsolationLevel.READ_UNCOMMITTED);
    return all.stream().filter(it -> !stable.get(it).equals(written.get(it))).toList();
  }

  private Map<TopicPartition, Long> ends(List<TopicPartition> of, IsolationLevel level)
      throws Exception {
    Map<String, Object> config = new HashMap<>(broker.client(KafkaPrincipal.ADMIN));
    config.put("isolation.level", level.name().toLowerCase(Locale.ROOT));
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return consumer.endOffsets(of);
    }
  }
}
