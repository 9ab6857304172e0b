package io.millrace.connectors.local;

import static org.awaitility.Awaitility.await;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.SchemaText;
import io.millrace.schemas.registry.TopicRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A Kafka broker in this process, with Millrace's topics and registered schemas. */
public final class RealBroker implements AutoCloseable {
  private static final int PORTS_FROM = 20_000;
  private static final int PORTS = 12_000;

  private final Properties settings = new Properties();
  private final int port;
  private final int controllerPort;
  private KafkaRaftServer server;

  public RealBroker(Path directory) throws Exception {
    this.port = freePort(0);
    this.controllerPort = freePort(port);
    String log = directory.resolve("kafka").toString();
    String clients = "PLAINTEXT://127.0.0.1:" + port;
    String controller = "127.0.0.1:" + controllerPort;
    settings.putAll(
        Map.of(
            "process.roles", "broker,controller",
            "node.id", "1",
            "controller.quorum.voters", "1@" + controller,
            "controller.listener.names", "CONTROLLER",
            "listeners", clients + ",CONTROLLER://" + controller,
            "advertised.listeners", clients,
            "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs", log,
            "offsets.topic.replication.factor", "1",
            "auto.create.topics.enable", "false"));
    settings.putAll(
        Map.of(
            "offsets.topic.num.partitions", "1",
            "transaction.state.log.num.partitions", "1",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1",
            "broker.session.timeout.ms", "2000",
            "broker.heartbeat.interval.ms", "500"));
    new Formatter()
        .setNodeId(1)
        .setClusterId(Uuid.randomUuid().toString())
        .setControllerListenerName("CONTROLLER")
        .setMetadataLogDirectory(log)
        .addDirectory(log)
        .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
        .run();
    start();
    makeTopics();
  }

  public Map<String, Object> client() {
    return Map.of("bootstrap.servers", "127.0.0.1:" + port);
  }

  public String address() {
    return "127.0.0.1:" + port;
  }

  public RecordCodec codec() throws Exception {
    return Codecs.open(client());
  }

  void start() throws Exception {
    awaitFree(port);
    awaitFree(controllerPort);
    server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
    server.startup();
  }

  void stop() {
    server.shutdown();
    server.awaitShutdown();
  }

  @Override
  public void close() {
    stop();
  }

  private void makeTopics() throws Exception {
    try (Admin admin = Admin.create(client())) {
      List<NewTopic> topics =
          List.of(
              new NewTopic(Topics.REPORTS, Topics.DEFAULT_SHARDS, (short) 1),
              new NewTopic(Topics.DISPATCH, Topics.DISPATCH_PARTITIONS, (short) 1),
              new NewTopic(Topics.SCHEMAS, 1, (short) 1));
      admin.createTopics(topics).all().get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
    try (TopicRegistry registry = TopicRegistry.open(client())) {
      Map<String, Schema> catalogue = new LinkedHashMap<>();
      for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
        catalogue.put(entry.fullName(), SchemaText.published(entry.schema()));
      }
      registry.registerAll(catalogue);
    }
  }

  /** Below those that systems give to whoever connects: a broker that ended gets its own again. */
  private static int freePort(int taken) throws IOException {
    Random random = new Random();
    int port = taken;
    while (port == taken || !free(port)) {
      port = PORTS_FROM + random.nextInt(PORTS);
    }
    return port;
  }

  /** What used it may take a moment to end. */
  private static void awaitFree(int port) {
    await("port " + port).atMost(Duration.ofSeconds(180)).until(() -> free(port));
  }

  private static boolean free(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (BindException e) {
      return false;
    }
  }
}
