package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.broker.BrokerProcess;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.health.PartKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** A home on a cluster that is there already: all of its parts serve, and tell their health. */
@Beside
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GivenClusterIT {

  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int SHARDS = 2;
  private static final int SCRAPE_BYTES_MAX = 64 << 10;

  /** Ports above the first one that parts use here. */
  private static final int LAST_PORT = 10;

  /** All but those that need an outside cluster (ForwardIT) or another installation (SitesIT). */
  private static final Set<PartKind> HERE =
      EnumSet.complementOf(EnumSet.of(PartKind.FORWARD, PartKind.SITES));

  private final HttpClient client = HttpClient.newHttpClient();
  private BrokerProcess broker;
  private Site site;
  private Account user;
  private Path work;
  private int first;
  private Shell.Answer started;

  @BeforeAll
  void up() throws Exception {
    site = Site.prepare("givencluster");
    broker = new BrokerProcess(site.folder().resolve("cluster"), SHARDS);
    broker.start();
    first = freePorts();
    started =
        site.up(
            "--no-keeper --apart-engine --campaigns --http "
                + (first + LAST_PORT + 1)
                + " --registry "
                + (first + LAST_PORT + 2)
                + " --health "
                + first
                + " --shards "
                + SHARDS
                + " --bootstrap-servers "
                + broker.cluster().bootstrapServers()
                + " --properties "
                + broker.home().client(KafkaPrincipal.ADMIN));
    started.must();
    user = site.user("mrgiven");
    work = site.folderOf(user, "work");
  }

  @AfterAll
  void down() throws Exception {
    if (site != null) {
      site.close();
    }
    if (broker != null) {
      broker.close();
    }
  }

  private static int freePorts() throws IOException {
    Random random = new Random();
    int port;
    do {
      port = 21_000 + 20 * random.nextInt(500);
    } while (!IntStream.rangeClosed(port, port + LAST_PORT + 2).allMatch(GivenClusterIT::free));
    return port;
  }

  private static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private HttpResponse<String> ask(PartKind part, String page) {
    int above =
        Map.of(
                PartKind.SERVER, 0,
                PartKind.GATEWAY, 1,
                PartKind.ACCOUNTING, 2,
                PartKind.WEB, 3,
                PartKind.ENGINE, 4,
                PartKind.CAMPAIGNS, 5,
                PartKind.EXECUTOR, LAST_PORT)
            .get(part);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + (first + above) + page))
            .timeout(SOON)
            .build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(part + page, e);
    }
  }

  private double value(PartKind part, String series) {
    return ask(part, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElse(-1);
  }

  @Test
  @Order(1)
  void accountingServesToo() throws Exception {
    String job = submit("");
    site.awaitState(job, "F");
    Path folder = site.home().accounting();
    Site.await(SOON, "the end is in the accounts", () -> ends(folder, job));
  }

  private String submit(String options) throws Exception {
    return site.run(user, work, "qsub " + options + " -j oe -o /dev/null -- /bin/true")
        .must()
        .strip();
  }

  private static boolean ends(Path folder, String job) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file).contains(";E;" + job + ";")) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  @Order(2)
  void eachPartTellsItsHealth() throws Exception {
    for (PartKind part : HERE) {
      assertEquals("alive\n", ask(part, "/live").body(), part.text());
      Site.await(SOON, part + " is ready", () -> ask(part, "/ready").statusCode() == 200);
      HttpResponse<String> metrics = ask(part, "/metrics");
      assertTrue(metrics.body().length() < SCRAPE_BYTES_MAX, metrics.body().length() + " bytes");
      assertEquals(1, value(part, "millrace_ready{part=\"" + part.text() + "\"}"), part.text());
      assertFalse(
          Pattern.compile("password|token|secret").matcher(metrics.body()).find(), part.text());
      for (Metric metric : Metric.values()) {
        boolean told = metrics.body().contains("\n# TYPE " + metric.text() + " ");
        assertTrue(metric.parts().contains(part) || !told, part + " tells " + metric);
      }
    }
    String status = site.launcher("status", "").out();
    for (String part :
        List.of("server", "gateway", "accounting", "web", "engine", "campaigns", "executor")) {
      assertTrue(
          Pattern.compile("(?m)^" + part + " +127\\.0\\.0\\.1:\\d+ +ready$").matcher(status).find(),
          status);
    }
  }

  @Test
  @Order(3)
  void numbersFollowWhatHappens() throws Exception {
    double submitted = value(PartKind.SERVER, "millrace_submissions_total");
    submit("-h");
    String ran = submit("");
    site.awaitState(ran, "F");
    assertEquals(submitted + 2, value(PartKind.SERVER, "millrace_submissions_total"));
    assertTrue(value(PartKind.SERVER, "millrace_starts_total") >= 2);
    assertTrue(value(PartKind.SERVER, "millrace_ends_total") >= 2);
    assertTrue(value(PartKind.SERVER, "millrace_start_latency_seconds_count") >= 2);
    assertTrue(value(PartKind.SERVER, "millrace_transactions_total") > 2);
    Site.await(
        SOON,
        "the held job is counted",
        () ->
            value(PartKind.SERVER, "millrace_jobs{queue=\"workq\",shard=\"0\",state=\"held\"}")
                == 1);
    Site.await(
        SOON,
        "the executor is heard",
        () -> value(PartKind.SERVER, "millrace_executors_heard") > 0);
    assertEquals(1, value(PartKind.SERVER, "millrace_shard_owned{shard=\"0\"}"));
    assertEquals(1, value(PartKind.SERVER, "millrace_shard_owned{shard=\"1\"}"));
    assertEquals(0, value(PartKind.SERVER, "millrace_dead_letters_total"));
    assertTrue(value(PartKind.ENGINE, "millrace_cycle_seconds_count{scheduler=\"default\"}") >= 2);
    Site.await(
        SOON,
        "accounting is up to date",
        () -> value(PartKind.ACCOUNTING, "millrace_ledger_lag_records{shard=\"0\"}") == 0);
    Site.await(
        SOON, "the spool is empty", () -> value(PartKind.EXECUTOR, "millrace_spool_runs") == 0);
  }

  @Test
  @Order(4)
  void whatIsWrongWithTheClusterIsSaid() throws Exception {
    String servers = "check --bootstrap-servers " + broker.cluster().bootstrapServers();
    Path admin = broker.home().client(KafkaPrincipal.ADMIN);
    Shell.Answer check = launch("cluster " + servers + " --admin-properties " + admin);
    assertEquals(1, check.status(), check.out());
    for (String line : List.of("the cluster: 1 broker: ", "topic ledger: replication factor 1: ")) {
      assertTrue(
          check.out().contains("\nred   " + line) || check.out().startsWith("red   " + line));
      assertTrue(started.out().contains("red   " + line), started.out());
    }
    assertFalse(check.out().contains("message.timestamp.type"), check.out());
    assertFalse(check.out().contains("partitions:"), check.out());
    Path wrong = site.folder().resolve("wrong.properties");
    Files.writeString(
        wrong, Files.readString(admin).replaceAll("password=\"[^\"]+\"", "password=\"x\""));
    Shell.Answer refused = launch("cluster " + servers + " --admin-properties " + wrong);
    assertEquals(1, refused.status(), refused.out());
    assertTrue(refused.out().contains("does not tell: Authentication failed"), refused.out());
    long begin = System.nanoTime();
    Shell.Answer nobody = launch("cluster check --bootstrap-servers 127.0.0.1:9");
    assertEquals(1, nobody.status(), nobody.out());
    assertTrue(nobody.out().contains("the cluster at 127.0.0.1:9 does not tell: "), nobody.out());
    long tookS = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
    assertTrue(tookS <= 30, tookS + " s");
    assertEquals(2, launch("cluster look").status());
    assertEquals(2, launch("cluster check").status());
  }

  /** As an unmodified client asks that has a record's schema id. */
  @Test
  @Order(5)
  void toolsFindTheSchemasAtTheWebPart() throws Exception {
    String registry = "http://127.0.0.1:" + (first + LAST_PORT + 2);
    String subject = "io.millrace.schemas.fact.JobQueued";
    String subjects = get(registry + "/subjects").body();
    assertTrue(subjects.contains('"' + subject + '"'), subjects);
    String version = get(registry + "/subjects/" + subject + "/versions/latest").body();
    String number = version.replaceFirst(".*\"id\":([0-9]+).*", "$1");
    assertTrue(get(registry + "/schemas/ids/" + number).body().contains("\"schema\":"), version);
  }

  private HttpResponse<String> get(String url) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(SOON).build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    return answer;
  }

  private Shell.Answer launch(String line) throws IOException, InterruptedException {
    return site.run(site.checkout().resolve("millrace") + " " + line + " 2>&1");
  }

  /** In one answer: while it tries to connect, the client counts that as a connection. */
  private static boolean saysWhy(HttpResponse<String> ready) {
    return ready.statusCode() == 503 && ready.body().equals("no broker is connected\n");
  }

  @Test
  @Order(9)
  void withoutABrokerGatewayAndAccountingSayWhyTheyAreNotReady() throws Exception {
    broker.kill();
    for (PartKind part : List.of(PartKind.GATEWAY, PartKind.ACCOUNTING, PartKind.WEB)) {
      Site.await(SOON, part + " says so", () -> saysWhy(ask(part, "/ready")));
      assertEquals(200, ask(part, "/live").statusCode());
    }
    broker.start();
    for (PartKind part : HERE) {
      Site.await(SOON, part + " is ready again", () -> ask(part, "/ready").statusCode() == 200);
    }
  }
}
