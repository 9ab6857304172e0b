package io.millrace.server.gateway;

import io.millrace.schemas.Topics;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.server.gateway.link.LinkSettings;
import io.millrace.server.gateway.session.SessionLimits;
import io.millrace.server.gateway.session.SessionServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.KafkaException;

/** Process entry of the gateway. */
public final class GatewayMain {

  private static final String USAGE =
      """
      usage: gateway --home DIR --bootstrap-servers HOST:PORT [--properties FILE]
                     [--reply-partition N] [--socket PATH] [--host NAME]
      """;

  private static final Set<String> OPTIONS =
      Set.of("home", "bootstrap-servers", "properties", "reply-partition", "socket", "host");

  private GatewayMain() {}

  /** Serves until the process is told to end. */
  public static void main(String[] args) throws InterruptedException {
    try {
      serve(options(args));
    } catch (NoSuchFileException e) {
      fail("there is no file " + e.getMessage());
    } catch (IOException | RegistryException | KafkaException | InvalidPathException e) {
      // Kafka's own message of a wrong setting is in the cause.
      Throwable cause = e.getCause() instanceof KafkaException ? e.getCause() : e;
      fail(cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }
  }

  private static void fail(String why) {
    System.err.println("gateway: " + why);
    System.exit(1);
  }

  private static void serve(Map<String, String> options)
      throws IOException, RegistryException, InterruptedException {
    Path home = Path.of(required(options, "home"));
    Path socket =
        options.containsKey("socket")
            ? Path.of(options.get("socket"))
            : home.resolve("run").resolve("gateway.sock");
    Path ready = home.resolve("run").resolve("gateway.ready");
    Files.createDirectories(ready.getParent());
    // The home's own directory, whatever the umask was when it was made.
    Files.setPosixFilePermissions(ready.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
    Map<String, Object> kafka = kafka(options);
    Gateway gateway =
        new Gateway(
            LinkSettings.defaults(kafka, replyPartition(options)),
            Codecs.open(kafka),
            token(home),
            options.containsKey("host") ? options.get("host") : hostName());
    gateway.start();
    Warmup.run(gateway);
    SessionServer sessions =
        SessionServer.start(socket, SessionLimits.defaults(), gateway.commands());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(sessions, gateway, ready)));
    Files.writeString(ready, socket + "\n");
  }

  private static void close(SessionServer sessions, Gateway gateway, Path ready) {
    try {
      Files.deleteIfExists(ready);
      sessions.close();
    } catch (IOException e) {
      System.err.println("gateway: " + e.getMessage());
    } finally {
      gateway.close();
    }
  }

  private static Map<String, String> options(String[] args) {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      boolean known = args[i].startsWith("--") && OPTIONS.contains(args[i].substring(2));
      if (!known || i + 1 == args.length) {
        throw usage((known ? "an argument is missing for " : "unknown option ") + args[i]);
      }
      options.put(args[i].substring(2), args[i + 1]);
    }
    return options;
  }

  private static String required(Map<String, String> options, String name) {
    if (!options.containsKey(name)) {
      throw usage("--" + name + " is missing");
    }
    return options.get(name);
  }

  private static IllegalArgumentException usage(String what) {
    System.err.print("gateway: " + what + "\n" + USAGE);
    System.exit(2);
    return new IllegalArgumentException(what);
  }

  private static int replyPartition(Map<String, String> options) {
    String text = options.getOrDefault("reply-partition", "0");
    boolean number = text.matches("\\d{1,4}");
    if (!number || Integer.parseInt(text) >= Topics.REPLY_PARTITIONS) {
      throw usage("--reply-partition is 0 to " + (Topics.REPLY_PARTITIONS - 1) + ", not " + text);
    }
    return Integer.parseInt(text);
  }

  private static Map<String, Object> kafka(Map<String, String> options) throws IOException {
    Map<String, Object> kafka = new HashMap<>();
    if (options.containsKey("properties")) {
      Properties file = new Properties();
      try (InputStream in = Files.newInputStream(Path.of(options.get("properties")))) {
        file.load(in);
      }
      file.forEach((key, value) -> kafka.put((String) key, value));
    }
    kafka.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, required(options, "bootstrap-servers"));
    return kafka;
  }

  /** The file may be made after the gateway was started; it is read when first asked for. */
  private static Supplier<String> token(Path home) {
    Path file = home.resolve("etc").resolve("query.token");
    return new Supplier<>() {
      private volatile String token;

      @Override
      public String get() {
        if (token == null) {
          try {
            token = Files.readString(file).strip();
          } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
          }
        }
        return token;
      }
    };
  }

  /** The host's name up to the first dot. */
  static String hostName() throws UnknownHostException {
    String name = InetAddress.getLocalHost().getHostName();
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }
}
