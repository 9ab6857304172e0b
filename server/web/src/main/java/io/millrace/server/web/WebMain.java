package io.millrace.server.web;

import io.millrace.schemas.HostName;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.program.ConnectionBounds;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.SocketText;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.TopicRegistry;
import io.millrace.server.gateway.Gateway;
import io.millrace.server.gateway.QueryToken;
import io.millrace.server.gateway.link.LinkSettings;
import io.millrace.server.http.HttpListener;
import io.millrace.server.web.credential.AuditLog;
import io.millrace.server.web.credential.Credentials;
import io.millrace.server.web.credential.TokenFolder;
import io.millrace.server.web.registry.RegistryServer;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** Process entry of the door for HTTP. */
public final class WebMain {

  private static final String MONITOR = "--monitor-properties";

  private static final String REGISTRY = "--registry";

  private static final ProgramOptions OPTIONS =
      Health.addTo(ProgramOptions.ofProcess("web", "Serves HTTP."))
          .value("--home", "DIR", "home folder")
          .kafka()
          .value("--listen", "[ADDRESS:]PORT", "where; without a certificate on loopback only")
          .value("--reply-partition", "N", "where answers come (default 2)")
          .value("--host", "NAME", "name of this host (default: host name up to the first dot)")
          .value("--certificate", "FILE", "the chain in PEM, for https; with --key")
          .value("--key", "FILE", "its key in PEM (PKCS #8)")
          .value(ConnectionBounds.OPTION, "NAME=ALL/ONE,..", "see ./millrace up --help")
          .value("--munge-socket", "PATH", "of another MUNGE daemon than the host's")
          .value("--munge-root", "yes|no", "root of other hosts is root here (default no)")
          .value(
              REGISTRY,
              "[ADDRESS:]PORT",
              "Confluent's registry calls there, to read; https as the door")
          .value(MONITOR, "FILE", "Kafka client settings of who may read the facts");

  private static final long AUDIT_BYTES = 8 << 20;
  private static final int AUDIT_FILES = 4;
  private static final long CLUSTER_ID_S = 60;

  private WebMain() {}

  /** Serves until the process is told to end. */
  public static void main(String[] args) throws InterruptedException {
    try {
      serve(OPTIONS.parse(args));
    } catch (UsageException e) {
      System.exit(e.tell());
    } catch (NoSuchFileException e) {
      fail("there is no file " + e.getMessage());
    } catch (IOException | RegistryException | KafkaException | InvalidPathException e) {
      Throwable cause = e.getCause() instanceof KafkaException ? e.getCause() : e;
      fail(cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }
  }

  private static void fail(String why) {
    System.err.println("web: " + why);
    System.exit(1);
  }

  private static void serve(GivenOptions options)
      throws IOException, RegistryException, InterruptedException, UsageException {
    Path home = Path.of(options.require("--home"));
    WebListening where = listening(options);
    Health health = Health.begin(PartKind.WEB, options);
    int replyPartition = options.number("--reply-partition", 2, 0, Topics.REPLY_PARTITIONS - 1);
    Map<String, Object> kafka = options.kafka();
    String cluster = clusterId(kafka);
    TokenFolder tokens = new TokenFolder(home);
    tokens.open(cluster);
    RecordCodec codec = Codecs.open(kafka);
    Gateway gateway =
        new Gateway(
            LinkSettings.defaults(kafka, replyPartition),
            codec,
            QueryToken.of(home),
            options.has("--host") ? options.require("--host") : HostName.untilDot(),
            home.toAbsolutePath());
    gateway.start();
    AuditLog audit =
        new AuditLog(
            home.resolve("log/web-audit.log"), AUDIT_BYTES, AUDIT_FILES, Clock.systemUTC());
    Map<String, Object> monitor = options.has(MONITOR) ? options.kafka(MONITOR) : kafka;
    WebGateway door =
        WebGateway.open(
            new WebGateway.Offer(gateway, codec, monitor),
            new WebGateway.Trust(cluster, tokens, munge(options), audit),
            where);
    Path ready = home.resolve("run/web.ready");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(door, gateway, ready)));
    registry(options, monitor, where.tls());
    Measures.ofProcess().answer(Metric.CONNECTIONS, into -> into.is(door.connections()));
    health.ready(gateway::obstacle);
    Files.writeString(ready, url(where, door) + "\n");
    System.out.println("serves " + url(where, door));
    door.awaitClose();
  }

  /**
   * Answers for the schemas too, where that is asked for, as long as the process lasts.
   *
   * @param tls as the door has it: whoever changes a schema on its way has records read wrongly
   */
  private static void registry(
      GivenOptions options, Map<String, Object> monitor, Optional<SslContext> tls)
      throws IOException, RegistryException, UsageException {
    if (!options.has(REGISTRY)) {
      return;
    }
    try {
      InetSocketAddress address = SocketText.parse(options.require(REGISTRY));
      TopicRegistry schemas = TopicRegistry.open(monitor);
      System.out.println("registry at " + new RegistryServer(schemas, address, tls, true).uri());
    } catch (IllegalArgumentException e) {
      throw options.wrong(REGISTRY + ": " + e.getMessage());
    }
  }

  /**
   * Where to listen.
   *
   * @param tls certificate and key; empty for plain HTTP, which stays on this host
   * @param connections how many, and of one address
   */
  record WebListening(
      InetSocketAddress address,
      Optional<SslContext> tls,
      ConnectionBounds.ConnectionBound connections) {}

  private static WebListening listening(GivenOptions options) throws IOException, UsageException {
    if (options.has("--certificate") != options.has("--key")) {
      throw options.wrong("--certificate and --key go together");
    }
    Optional<SslContext> tls = Optional.empty();
    if (options.has("--key")) {
      Path key = Path.of(options.require("--key"));
      tls = Optional.of(Certificate.of(Path.of(options.require("--certificate")), key));
    }
    try {
      return new WebListening(
          ListenAddress.parse(options.require("--listen"), tls.isPresent()),
          tls,
          ConnectionBounds.of(options).http());
    } catch (IllegalArgumentException e) {
      throw options.wrong("--listen: " + e.getMessage());
    }
  }

  private static Credentials.MungeSettings munge(GivenOptions options) throws UsageException {
    return new Credentials.MungeSettings(
        options.get("--munge-socket").orElse(""),
        options.isFirst("--munge-root", "yes", "no", "no"));
  }

  private static String url(WebListening where, WebGateway door) {
    return (where.tls().isPresent() ? "https://" : "http://") + HttpListener.text(door.address());
  }

  /** The id that the cluster's brokers share; nobody else has it. */
  private static String clusterId(Map<String, Object> kafka)
      throws IOException, InterruptedException {
    try (Admin admin = Admin.create(kafka)) {
      return admin.describeCluster().clusterId().get(CLUSTER_ID_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(
          "the broker does not tell its cluster: " + e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw new IOException("the broker does not answer", e);
    }
  }

  private static void close(WebGateway door, Gateway gateway, Path ready) {
    try {
      Files.deleteIfExists(ready);
      door.close();
    } catch (IOException e) {
      System.err.println("web: " + e.getMessage());
    } finally {
      gateway.close();
    }
  }
}
