package io.millrace.ops;

import io.millrace.schedulers.engine.EngineLimits;
import io.millrace.schedulers.engine.EngineThreads;
import io.millrace.schemas.HostName;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.registry.Codecs;
import io.millrace.server.streams.Server;
import io.millrace.server.streams.ServerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Process entry of the server: joins the shards with the engines that sit beside them. */
public final class ServerMain {
  private static final String USAGE =
      "usage: server --home DIR --bootstrap-servers HOST:PORT [--properties FILE]\n"
          + "              --instance NAME [--listen HOST:PORT] [--server-name NAME]\n"
          + "              [--managers LIST] [--engines beside|apart]";

  private static final Set<String> KNOWN =
      Set.of(
          "home",
          "bootstrap-servers",
          "properties",
          "instance",
          "listen",
          "server-name",
          "managers",
          "engines");

  private ServerMain() {}

  public static void main(String[] args) throws Exception {
    Map<String, String> options = options(args);
    Path home = Path.of(required(options, "home"));
    Map<String, Object> client = client(options);
    RecordCodec codec = Codecs.open(client);
    ServerSettings settings =
        new ServerSettings(
            client,
            home.resolve("data").resolve("server"),
            required(options, "instance"),
            options.getOrDefault("listen", "127.0.0.1:0"),
            token(home),
            enginesBeside(options));
    Server server = new Server(settings, codec, shards(client), engines(home));
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "close"));
    Path ready = home.resolve("run").resolve("server.ready");
    Files.createDirectories(ready.getParent());
    Files.deleteIfExists(ready);
    server.start();
    // While Kafka hands out the shards this process has nothing else to do.
    WarmUp.run(codec, new EngineThreads());
    server.initialise(
        options.containsKey("server-name") ? options.get("server-name") : HostName.whole(),
        options.getOrDefault("managers", "root@*"));
    announce(server, ready);
    Optional<Throwable> failure = server.awaitEnd();
    Files.deleteIfExists(ready);
    if (failure.isPresent()) {
      System.err.println("server: ended by " + failure.get());
      // Threads of the stopped shards must not keep a useless process alive.
      Runtime.getRuntime().halt(1);
    }
  }

  /** Engines of Grid Engine policies keep their file schedule below the home. */
  private static EngineThreads engines(Path home) {
    return new EngineThreads(EngineLimits.standard(), Optional.of(home.resolve("sched_priv")));
  }

  private static void announce(Server server, Path ready) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!server.running()) {
                  TimeUnit.MILLISECONDS.sleep(20);
                }
                Files.writeString(ready, server.queryAddress() + "\n");
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (IOException e) {
                System.err.println("server: cannot write " + ready + ": " + e.getMessage());
              }
            },
            "announce");
    thread.setDaemon(true);
    thread.start();
  }

  private static Map<String, String> options(String[] args) {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      if (!args[i].startsWith("--") || !KNOWN.contains(args[i].substring(2))) {
        throw usage("unknown option " + args[i]);
      }
      if (i + 1 == args.length) {
        throw usage("option " + args[i] + " needs a value");
      }
      options.put(args[i].substring(2), args[i + 1]);
    }
    return options;
  }

  private static IllegalArgumentException usage(String what) {
    System.err.println("server: " + what + "\n" + USAGE);
    System.exit(2);
    return new IllegalArgumentException(what);
  }

  private static String required(Map<String, String> options, String name) {
    String value = options.get(name);
    if (value == null) {
      throw usage("--" + name + " is missing");
    }
    return value;
  }

  private static boolean enginesBeside(Map<String, String> options) {
    String where = options.getOrDefault("engines", "beside");
    if (!where.equals("beside") && !where.equals("apart")) {
      throw usage("--engines is beside or apart, not " + where);
    }
    return where.equals("beside");
  }

  /** Kafka client configuration from the options. */
  private static Map<String, Object> client(Map<String, String> options) throws IOException {
    Properties file = new Properties();
    if (options.containsKey("properties")) {
      try (InputStream in = Files.newInputStream(Path.of(options.get("properties")))) {
        file.load(in);
      }
    }
    Map<String, Object> client = new HashMap<>();
    file.forEach((key, value) -> client.put((String) key, value));
    client.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, required(options, "bootstrap-servers"));
    return client;
  }

  /** The number of shards is that of the inbox's Kafka partitions. */
  private static int shards(Map<String, Object> client)
      throws InterruptedException, ExecutionException, TimeoutException {
    try (Admin admin = Admin.create(client)) {
      return admin
          .describeTopics(List.of(Topics.COMMANDS))
          .allTopicNames()
          .get(30, TimeUnit.SECONDS)
          .get(Topics.COMMANDS)
          .partitions()
          .size();
    }
  }

  /** What gateways show to be answered; made with the home. */
  private static String token(Path home) throws IOException {
    Path file = home.resolve("etc").resolve("query.token");
    return Files.readString(file).strip();
  }
}
