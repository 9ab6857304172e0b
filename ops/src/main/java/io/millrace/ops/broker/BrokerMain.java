package io.millrace.ops.broker;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KeyFiles;
import io.millrace.ops.keys.ListenerCertificate;
import io.millrace.ops.log.RefusalLog;
import io.millrace.ops.word.OneLine;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.TopicRegistry;
import io.millrace.server.web.registry.RegistryServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.metadata.storage.FormatterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Process entry of the embedded broker: {@code --home DIR [--durable]}. */
public final class BrokerMain {

  private static final Logger LOG = LoggerFactory.getLogger(BrokerMain.class);
  private static final int REGISTRY_RETRY_MS = 500;

  private BrokerMain() {}

  public static void main(String[] args) {
    GivenOptions options;
    try {
      options =
          ProgramOptions.ofProcess("broker", "runs the embedded broker of a home")
              .value("--home", "DIR", "home folder")
              .flag("--durable", "every write reaches the disk before it is acknowledged")
              .parse(List.of(args));
    } catch (UsageException e) {
      System.exit(e.tell());
      return;
    }
    try {
      serve(new Home(Path.of(options.require("--home"))), options.has("--durable"), Time.SYSTEM);
    } catch (Exception e) {
      LOG.error("the broker cannot go on", e);
      System.err.println("broker: " + innermost(e));
      // Threads of a half-started broker must not keep the useless process alive.
      Runtime.getRuntime().halt(1);
    }
  }

  /** Message of the innermost cause, since Kafka wraps the actual error. */
  private static String innermost(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return OneLine.of(cause);
  }

  /**
   * Serves until the process is told to stop.
   *
   * @param time the broker's clock; a test has one that leaps
   */
  static void serve(Home home, boolean durable, Time time) throws Exception {
    ClusterSettings cluster = ClusterSettings.read(home);
    List<Integer> taken = cluster.taken();
    if (!taken.isEmpty()) {
      throw new IOException(
          "another program listens on port "
              + taken
              + "; stop it, or choose other ports in "
              + home.settings()
              + " and the files of "
              + home.root().resolve("etc/kafka"));
    }
    if (!cluster.embedded().listen().isEmpty()) {
      new ListenerCertificate(home, cluster.embedded().listen()).check();
    }
    // This start makes the new passwords known, so that an interrupted renewal is finished here.
    KeyFiles.finish(home);
    BrokerLogins logins = BrokerLogins.of(home);
    Properties settings = BrokerSettings.of(home, cluster, logins, durable);
    format(home);

    new RefusalLog(RefusalLog.file(home, "broker")).hearAuthorizer();
    SingleNode server = new SingleNode(new NodeConfig(settings), logins, time);
    CountDownLatch stopping = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  stopping.countDown();
                  server.shutdown();
                },
                "shutdown"));
    server.startup();
    Files.writeString(home.ready("broker"), ProcessHandle.current().pid() + "\n");
    LOG.info("broker serves {}", cluster.bootstrapServers());
    serveRegistry(home, cluster, logins, stopping);
    server.awaitShutdown();
  }

  /** Formats the folder unless it is formatted already. */
  static void format(Home home) throws Exception {
    Files.createDirectories(home.brokerData());
    if (Files.exists(home.brokerData().resolve("meta.properties"))) {
      return;
    }
    Formatter formatter =
        new Formatter()
            .setNodeId(1)
            .setClusterId(Uuid.randomUuid().toString())
            .setControllerListenerName("CONTROLLER")
            .setMetadataLogDirectory(home.brokerData().toString())
            .addDirectory(home.brokerData().toString())
            .setIgnoreFormatted(true)
            .setPrintStream(new PrintStream(OutputStream.nullOutputStream()));
    try {
      formatter.run();
    } catch (FormatterException e) {
      throw new IOException(home.brokerData() + " cannot be formatted: " + e.getMessage(), e);
    }
  }

  /**
   * Serves the registry once its topic exists, which happens when the cluster is initialised, after
   * the broker has started.
   */
  private static void serveRegistry(
      Home home, ClusterSettings cluster, BrokerLogins logins, CountDownLatch stopping)
      throws InterruptedException {
    int port = cluster.embedded().registry();
    while (!stopping.await(REGISTRY_RETRY_MS, TimeUnit.MILLISECONDS)) {
      if (!Files.exists(home.initialised())) {
        continue;
      }
      try {
        TopicRegistry registry = TopicRegistry.open(logins.client(cluster.bootstrapServers()));
        RegistryServer server = new RegistryServer(registry, port, true);
        LOG.info("schema registry serves {}", server.uri());
        return;
      } catch (RegistryException e) {
        LOG.warn("schema registry waits: {}", e.getMessage());
      } catch (IOException e) {
        LOG.error("no schema registry: {}", e.getMessage());
        return;
      }
    }
  }
}
