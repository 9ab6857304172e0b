package io.millrace.server.gateway;

import io.millrace.schemas.HostName;
import io.millrace.schemas.Topics;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.program.ConnectionBounds;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.server.gateway.link.LinkSettings;
import io.millrace.server.gateway.session.SessionLimits;
import io.millrace.server.gateway.session.SessionServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.apache.kafka.common.KafkaException;

/** Process entry of the gateway. */
public final class GatewayMain {

  private static final String POLICY_FILES = "--policy-files";

  private static final ProgramOptions OPTIONS =
      Health.addTo(ProgramOptions.ofProcess("gateway", "Takes users' commands on this host."))
          .value("--home", "DIR", "home folder")
          .kafka()
          .value("--reply-partition", "N", "where answers come (default 0)")
          .value(
              POLICY_FILES, "yes|no", "whether this host has the files with policies (default yes)")
          .value("--socket", "PATH", "where it listens (default HOME/run/gateway.sock)")
          .value("--host", "NAME", "name of this host (default: host name up to the first dot)")
          .value(ConnectionBounds.OPTION, "NAME=ALL/ONE,..", "see ./millrace up --help");

  /** Pause between two looks at the files of the home that count by themselves. */
  private static final long LOOK_MS = 2_000;

  private GatewayMain() {}

  /** Serves until the process is told to end. */
  public static void main(String[] args) throws InterruptedException {
    try {
      serve(OPTIONS.parse(args));
    } catch (UsageException e) {
      System.exit(e.tell());
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

  private static void serve(GivenOptions options)
      throws IOException, RegistryException, InterruptedException, UsageException {
    Path home = Path.of(options.require("--home"));
    boolean policyFiles = options.isFirst(POLICY_FILES, "yes", "no", "yes");
    Health health = Health.begin(PartKind.GATEWAY, options);
    Path socket =
        options.get("--socket").map(Path::of).orElse(home.resolve("run").resolve("gateway.sock"));
    Path ready = home.resolve("run").resolve("gateway.ready");
    Files.createDirectories(ready.getParent());
    // The home's own directory, whatever the umask was when it was made.
    Files.setPosixFilePermissions(ready.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
    int replyPartition = options.number("--reply-partition", 0, 0, Topics.REPLY_PARTITIONS - 1);
    Map<String, Object> kafka = options.kafka();
    Gateway gateway =
        new Gateway(
            LinkSettings.defaults(kafka, replyPartition),
            Codecs.open(kafka),
            QueryToken.of(home),
            options.has("--host") ? options.require("--host") : HostName.untilDot(),
            home.toAbsolutePath());
    gateway.start();
    EndedServer.begin(gateway.site());
    if (policyFiles) {
      ReservableWatch.begin(gateway.site(), home.toAbsolutePath(), LOOK_MS);
      PolicyFolderWatch.begin(gateway.site(), LOOK_MS);
    }
    CommandWarmUp.run(gateway);
    SessionServer sessions =
        SessionServer.start(
            socket,
            SessionLimits.of(ConnectionBounds.of(options)),
            gateway.commands(),
            gateway.queries().turns());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(sessions, gateway, ready)));
    Measures.ofProcess().answer(Metric.SESSIONS, into -> into.is(sessions.openSessions()));
    health.ready(gateway::obstacle);
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
}
