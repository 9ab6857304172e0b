package io.millrace.connectors.connect;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.connectors.forward.ServedCluster;
import io.millrace.connectors.forward.ServedTerms;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.hostkey.HostKey;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sink, with a cluster that does what a test wants. */
class OrderSinkTaskTest {

  private static final TopicPartition FIRST = new TopicPartition("dispatch", 0);
  private static final TopicPartition THIRD = new TopicPartition("dispatch", 2);

  @TempDir Path folder;

  private final Map<String, String> settings = ConnectorSettingsTest.sink();
  private final Map<String, Gauge<?>> metrics = new HashMap<>();
  private final AtomicLong asked = new AtomicLong();
  private final AtomicInteger closed = new AtomicInteger();
  private final CountDownLatch dismissed = new CountDownLatch(1);
  private volatile String dismissal = "";
  private volatile ServedTerms served;
  private volatile boolean known = true;
  private volatile Error failing;
  private volatile Error stuck;

  @BeforeEach
  void file() throws IOException {
    Path file = folder.resolve("c1.properties");
    Files.writeString(
        file, "bootstrap.servers=here:1\n" + HostKey.PROPERTY + "=" + "0a".repeat(32) + "\n");
    settings.put("millrace.properties", file.toString());
    settings.put("millrace.spool", folder.resolve("spool").toString());
  }

  /** A cluster with one host, whose orders of the third partition are carried out up to 7. */
  private final class PlayedCluster implements ServedCluster {
    @Override
    public void run() throws InterruptedException {
      if (failing != null) {
        throw failing;
      }
      dismissed.await();
    }

    @Override
    public String dismissal() {
      return dismissal;
    }

    @Override
    public String obstacle() {
      return "no host is known yet";
    }

    @Override
    public OptionalLong carriedOut(int partition, long end) {
      long first = partition == 2 ? Math.min(7, end) : end;
      return known ? OptionalLong.of(first) : OptionalLong.empty();
    }

    @Override
    public void tell(Measures measures) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      assertFalse(Thread.currentThread().isInterrupted(), "what is written then is cut off");
      closed.incrementAndGet();
      if (stuck != null) {
        throw stuck;
      }
    }
  }

  private OrderSinkTask begin(OrderSinkTask.ClusterOpening opening) {
    OrderSinkTask task = new OrderSinkTask(opening);
    task.initialize(context());
    task.start(settings);
    return task;
  }

  private SinkTaskContext context() {
    return (SinkTaskContext)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {SinkTaskContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "pluginMetrics" -> metrics();
                  case "timeout" -> {
                    asked.set((long) arguments[0]);
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private PluginMetrics metrics() {
    return (PluginMetrics)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {PluginMetrics.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("addMetric")) {
                metrics.put(((MetricName) arguments[0]).name(), (Gauge<?>) arguments[1]);
                return null;
              }
              return new MetricName(
                  (String) arguments[0], "plugins", (String) arguments[1], Map.of());
            });
  }

  private Object obstacle() {
    return metrics.get("obstacle").value(null, 0);
  }

  @Test
  void itServesTheClusterOfItsSettings() {
    OrderSinkTask task =
        begin(
            (terms, waiting) -> {
              served = terms;
              return new PlayedCluster();
            });
    await().until(() -> "no host is known yet".equals(obstacle()));
    assertEquals("@c1", served.key().host());
    assertEquals(folder.resolve("spool"), served.spool());
    assertEquals(Map.of("alice", "alice"), served.file().users());
    task.put(List.of());
    assertEquals(1000, asked.get(), "Connect looks after it though there are no orders");
    task.stop();
    assertEquals(1, closed.get());
  }

  @Test
  void connectsOffsetsAreNeverAheadOfWhatIsCarriedOut() {
    OrderSinkTask task = begin((terms, waiting) -> new PlayedCluster());
    await().until(() -> "no host is known yet".equals(obstacle()));
    Map<TopicPartition, OffsetAndMetadata> delivered =
        Map.of(FIRST, new OffsetAndMetadata(100), THIRD, new OffsetAndMetadata(100));
    assertEquals(
        Map.of(FIRST, new OffsetAndMetadata(100), THIRD, new OffsetAndMetadata(7)),
        task.preCommit(delivered));
    assertEquals(
        Map.of(THIRD, new OffsetAndMetadata(3)),
        task.preCommit(Map.of(THIRD, new OffsetAndMetadata(3))));
    task.stop();
  }

  /** What was delivered before its hosts were served again is the backlog. */
  @Test
  void nothingIsCommittedBeforeAllHostsAreServed() {
    known = false;
    OrderSinkTask task = begin((terms, waiting) -> new PlayedCluster());
    await().until(() -> "no host is known yet".equals(obstacle()));
    Map<TopicPartition, OffsetAndMetadata> delivered =
        Map.of(FIRST, new OffsetAndMetadata(100), THIRD, new OffsetAndMetadata(100));
    assertEquals(Map.of(), task.preCommit(delivered));
    known = true;
    assertEquals(delivered.keySet(), task.preCommit(delivered).keySet());
    task.stop();
  }

  @Test
  void whoStandsByHasCarriedOutNothing() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    OrderSinkTask task =
        begin(
            (terms, waiting) -> {
              waiting.run();
              try {
                free.await();
              } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
              }
              return new PlayedCluster();
            });
    task.put(List.of());
    await().until(() -> "another process serves cluster c1".equals(obstacle()));
    assertEquals(Map.of(), task.preCommit(Map.of(FIRST, new OffsetAndMetadata(5))));
    free.countDown();
    await().until(() -> "no host is known yet".equals(obstacle()));
    task.stop();
  }

  @Test
  void aTaskThatStandsByCanBeStopped() {
    OrderSinkTask task =
        begin(
            (terms, waiting) -> {
              try {
                dismissed.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
              }
              throw new IllegalStateException();
            });
    task.stop();
    task.put(List.of());
    assertEquals(0, closed.get());
  }

  @Test
  void aClusterThatOthersServeFailsTheTask() {
    dismissal = "host n1@c1 is served by executor 7";
    OrderSinkTask task = begin((terms, waiting) -> new PlayedCluster());
    dismissed.countDown();
    await().until(() -> closed.get() == 1);
    await()
        .untilAsserted(
            () ->
                assertEquals(
                    dismissal,
                    assertThrows(ConnectException.class, () -> task.put(List.of())).getMessage()));
    task.stop();
  }

  @Test
  void aSpoolThatCannotBeUsedFailsTheTask() {
    OrderSinkTask task =
        begin(
            (terms, waiting) -> {
              throw new IOException("the disk\nis full");
            });
    await()
        .untilAsserted(
            () ->
                assertEquals(
                    "the disk is full",
                    assertThrows(ConnectException.class, () -> task.put(List.of())).getMessage()));
    task.stop();
  }

  private static void awaitFailure(String line, OrderSinkTask task) {
    await()
        .untilAsserted(
            () ->
                assertEquals(
                    line,
                    assertThrows(ConnectException.class, () -> task.put(List.of())).getMessage()));
  }

  /** As in a folder of plugins that lacks a jar. */
  @Test
  void anErrorWhileItIsOpenedFailsTheTask() {
    OrderSinkTask task =
        begin(
            (terms, waiting) -> {
              throw new NoClassDefFoundError("a/B");
            });
    awaitFailure("java.lang.NoClassDefFoundError: a/B", task);
    assertEquals(Map.of(), task.preCommit(Map.of(FIRST, new OffsetAndMetadata(5))));
    task.stop();
  }

  @Test
  void anErrorWhileItIsServedFailsTheTaskAndClosesTheCluster() {
    failing = new ExceptionInInitializerError("no such file");
    OrderSinkTask task = begin((terms, waiting) -> new PlayedCluster());
    awaitFailure("java.lang.ExceptionInInitializerError: no such file", task);
    assertEquals(1, closed.get());
    task.stop();
  }

  @Test
  void anErrorWhileItIsClosedFailsTheTask() {
    dismissed.countDown();
    stuck = new OutOfMemoryError("heap");
    OrderSinkTask task = begin((terms, waiting) -> new PlayedCluster());
    awaitFailure("java.lang.OutOfMemoryError: heap", task);
    task.stop();
  }

  @Test
  void aWrongSettingFailsTheStart() {
    settings.put("cluster.user.bob", "-root");
    OrderSinkTask task = new OrderSinkTask((terms, waiting) -> new PlayedCluster());
    task.initialize(context());
    assertThrows(ConfigException.class, () -> task.start(settings));
    task.stop();
  }
}
