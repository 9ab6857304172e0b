package io.millrace.ops;

import io.millrace.ops.home.Home;
import io.millrace.ops.log.RefusalLog;
import io.millrace.ops.process.EngineParts;
import io.millrace.schedulers.engine.CycleTopic;
import io.millrace.schedulers.engine.EngineLimits;
import io.millrace.schedulers.engine.EngineThreads;
import io.millrace.schemas.HostName;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.hostkey.HostKeyFolder;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.SocketText;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.server.http.ListeningPlaces;
import io.millrace.server.streams.Server;
import io.millrace.server.streams.ServerSettings;
import io.millrace.server.streams.input.BesideShards;
import io.millrace.server.unprivileged.InputProgram;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/** Process entry of the server: joins the shards with the engines that sit beside them. */
public final class ServerMain {
  private static final ProgramOptions OPTIONS =
      Health.addTo(ProgramOptions.ofProcess("server", "Decides what becomes of jobs."))
          .value("--home", "DIR", "home folder")
          .kafka()
          .value("--instance", "NAME", "of this server among those of the cluster")
          .value("--server-name", "NAME", "the cluster's, when it is new (default: host name)")
          .value("--managers", "LIST", "of a new cluster (default root@*)")
          .value("--query-listen", "[ADDRESS:]PORT", "answer gateways of other hosts there, in TLS")
          .value("--standby", "true|false", "keep copies of other servers' shards (default true)")
          .value("--apart", "NAME,..", "scheduler objects whose engines apart are waited for");

  private ServerMain() {}

  public static void main(String[] args)
      throws IOException,
          InterruptedException,
          RegistryException,
          ExecutionException,
          TimeoutException {
    try {
      serve(OPTIONS.parse(args));
    } catch (UsageException e) {
      System.exit(e.tell());
    } catch (UndecodableRecord e) {
      throw new IOException("the cluster's own settings cannot be read: " + e.getMessage(), e);
    }
  }

  private static void serve(GivenOptions options)
      throws IOException,
          InterruptedException,
          RegistryException,
          ExecutionException,
          TimeoutException,
          UsageException,
          UndecodableRecord {
    Path home = Path.of(options.require("--home"));
    Health health = Health.begin(PartKind.SERVER, options);
    Map<String, Object> client = options.kafka();
    RecordCodec codec = Codecs.open(client);
    ServerSettings settings =
        new ServerSettings(
            client,
            home.resolve("data").resolve("server"),
            options.require("--instance"),
            places(home, options),
            token(home),
            apart(options),
            options.isFirst("--standby", "true", "false", "true"));
    RefusalLog refusals = new RefusalLog(RefusalLog.file(new Home(home), "server"));
    HostKeyFolder keys = new HostKeyFolder(new Home(home).hostKeys());
    CycleTopic cycles = new CycleTopic(client, codec);
    EngineThreads engines = engines(new Home(home), cycles);
    BesideShards beside = new BesideShards(Optional.of(engines), new InputProgram(home)::said);
    Server server = new Server(settings, codec, shards(client), beside, keys, refusals);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server, cycles), "close"));
    Path ready = home.resolve("run").resolve("server.ready");
    Files.createDirectories(ready.getParent());
    Files.deleteIfExists(ready);
    health.ready(server::obstacle);
    server.start();
    // The process has nothing else to do until Kafka has assigned the shards.
    ShardWarmUp.run(codec, new EngineThreads());
    server.initialise(
        options.has("--server-name") ? options.require("--server-name") : HostName.whole(),
        options.get("--managers").orElse("root@*"),
        home.toAbsolutePath().normalize());
    announce(server, ready);
    Optional<Throwable> failure = server.awaitEnd();
    Files.deleteIfExists(ready);
    if (failure.isPresent()) {
      System.err.println("server: ended by " + failure.get());
      // Threads of stopped shards must not keep the useless process alive.
      Runtime.getRuntime().halt(1);
    }
  }

  /** Scheduler objects whose engines run in processes of their own. */
  private static Set<String> apart(GivenOptions options) throws UsageException {
    if (!options.has("--apart")) {
      return Set.of();
    }
    try {
      return Set.copyOf(EngineParts.parse(options.require("--apart")).schedulers());
    } catch (IllegalArgumentException e) {
      throw options.wrong("--apart: " + e.getMessage());
    }
  }

  private static ListeningPlaces places(Path home, GivenOptions options)
      throws IOException, UsageException {
    Optional<ListeningPlaces.Remote> remote = Optional.empty();
    if (options.has("--query-listen")) {
      try {
        InetSocketAddress address = SocketText.parse(options.require("--query-listen"));
        remote = Optional.of(ListeningPlaces.Remote.of(address, home));
      } catch (IllegalArgumentException e) {
        throw options.wrong("--query-listen: " + e.getMessage());
      }
    }
    return new ListeningPlaces(home.toAbsolutePath().resolve("run").resolve("query.sock"), remote);
  }

  private static void close(Server server, CycleTopic cycles) {
    server.close();
    cycles.close();
  }

  /** Makes the engines; those of Grid Engine policies write their file schedule below the home. */
  private static EngineThreads engines(Home home, CycleTopic cycles) throws IOException {
    home.createSchedPriv();
    Optional<Path> monitor = Optional.of(home.schedPriv());
    return new EngineThreads(EngineLimits.standard(), monitor, cycles);
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

  /** Number of shards, which is the number of partitions of the topic commands. */
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

  /** The token that gateways must send to get queries answered; generated with the home. */
  private static String token(Path home) throws IOException {
    Path file = home.resolve("etc").resolve("query.token");
    return Files.readString(file).strip();
  }
}
