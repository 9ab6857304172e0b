package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.millrace.ops.monitoring.Expression;
import io.millrace.ops.monitoring.MonitoringFiles;
import io.millrace.server.gateway.command.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The site of the compose file in containers, by the lines of its page: it comes up, runs a job, is
 * watched, misses a server, ends, and goes on with what it had.
 */
@Isolated
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ComposeSiteIT {

  private static final Duration BUILD = Duration.ofMinutes(15);
  private static final Duration UP = Duration.ofMinutes(10);
  private static final Duration SOON = Duration.ofMinutes(3);

  /** What the page of alerts says of a killed server. */
  private static final Duration RAISED = Duration.ofSeconds(60);

  /** A root file system that {@code ops/images/base} has made before; it is made where none is. */
  private static final String BASE = System.getProperty("millrace.base", "");

  private static final Pattern UNREACHABLE =
      Pattern.compile("Could not resolve|Temporary failure|Could not connect|Failed to fetch");
  private static final Pattern KILLED_SERVER = Pattern.compile("A killed server raises ([^,]*),");
  private static final Pattern ALERT = Pattern.compile("`(\\w+)`");

  /** By their service, what has ended when all is well; the others last. */
  private static final Set<String> ONCE = Set.of("brokers", "cluster", "nodes");

  /** Programs that it takes, by Debian's packages. */
  private static final Map<String, String> NEEDED =
      Map.of(
          "dockerd", "docker.io",
          "docker", "docker.io",
          "iptables", "iptables",
          "docker-compose", "docker-compose",
          "prometheus", "prometheus",
          "mmdebstrap", "mmdebstrap",
          "ip", "iproute2",
          "nsenter", "util-linux");

  private static final String CAMPAIGNS = "no campaign server";
  private static final String FORWARDERS = "no outside cluster";
  private static final String SITES = "no other installation";

  /** What the site has no series of, and why. */
  private static final Map<String, String> ABSENT =
      Map.of(
          "millrace_campaigns_open", CAMPAIGNS,
          "millrace_campaign_looks_total", CAMPAIGNS,
          "millrace_campaign_looks_failed_total", CAMPAIGNS,
          "millrace_forward_nodes", FORWARDERS,
          "millrace_forward_runs", FORWARDERS,
          "millrace_forward_unanswered_looks", FORWARDERS,
          "millrace_site_requests_total", SITES,
          "millrace_site_requests_unclear_total", SITES);

  private Site site;
  private ContainerEngine engine;
  private Shell shell;
  private List<String> page;
  private SitePrometheus prometheus;
  private String job;

  @BeforeAll
  void up() throws Exception {
    assumeTrue(
        "root".equals(System.getProperty("user.name")),
        "SKIPPED: the site in containers is not tried: a container engine takes root's rights");
    site = Site.prepare("compose");
    shell = new Shell(site.folder());
    for (Map.Entry<String, String> program : NEEDED.entrySet()) {
      assumeTrue(
          run("PATH=$PATH:/usr/sbin:/sbin command -v " + program.getKey()).status() == 0,
          () ->
              "SKIPPED: the site in containers is not tried: there is no "
                  + program.getKey()
                  + " here: apt-get install "
                  + program.getValue());
    }
    engine = ContainerEngine.start(site.folder().resolve("engine"));
    shell =
        engine
            .environment(new Shell(site.folder()))
            .with("MILLRACE_NO_BUILD", "1")
            .with("PROMETHEUS_IMAGE", "millrace/prometheus:debian");
    page = Files.readAllLines(site.checkout().resolve("docs/compose.md"));
    images();
    siteUp();
    prometheus = new SitePrometheus(engine);
  }

  @AfterAll
  void end() throws Exception {
    try {
      if (engine != null) {
        engine.close();
      }
    } finally {
      if (site != null) {
        site.close();
      }
    }
  }

  private Shell.Answer run(String line) throws IOException, InterruptedException {
    return shell.run(site.checkout(), UP, line);
  }

  /** The line of the page that begins so, without what is said of it. */
  private String line(String begin) {
    return page.stream()
        .filter(it -> it.startsWith("    " + begin))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the page has no line " + begin))
        .replaceAll(" {2,}#.*", "")
        .strip();
  }

  private String compose() {
    return line("docker-compose").replaceAll(" up -d$", " ");
  }

  private void images() throws IOException, InterruptedException {
    Path base = BASE.isEmpty() ? site.folder().resolve("base.tar") : Path.of(BASE);
    Path images = site.folder().resolve("images");
    if (BASE.isEmpty()) {
      Shell.Answer made = shellLine("ops/images/base", "base.tar", base);
      assumeFalse(
          UNREACHABLE.matcher(made.err()).find(),
          () -> "SKIPPED: the site in containers is not tried: no packages for a base: " + made);
      made.must();
    }
    String write = line("./millrace image").replace("base.tar", base.toString());
    shell.run(site.checkout(), BUILD, write + " --folder " + images).must();
    shellLine("for i in", "ops/target/images", images).must();
    run(line("ops/compose/prometheus-image")).must();
  }

  /** Runs a line of the page with this place instead of the one that it names. */
  private Shell.Answer shellLine(String begin, String named, Path place)
      throws IOException, InterruptedException {
    return shell.run(site.checkout(), BUILD, line(begin).replace(named, place.toString()));
  }

  private void siteUp() throws IOException, InterruptedException {
    Shell.Answer up = run(compose() + "up -d");
    System.out.println("e2e: compose: up after " + up.tookMs() + " ms");
    if (up.status() != 0) {
      System.out.println(run("docker ps -a; " + compose() + "logs --no-color --tail 30"));
    }
    up.must();
    Site.await(SOON, "all containers are well", () -> unwell().isEmpty());
    System.out.println(
        "e2e: compose: "
            + run("docker inspect --format '{{.Name}} {{.RestartCount}}' $(docker ps -aq)").must());
  }

  /** What containers say that should be otherwise, by their names. */
  private Map<String, String> unwell() throws IOException, InterruptedException {
    Map<String, String> unwell = new TreeMap<>();
    String all = run("docker ps -a --format '{{.Names}} {{.Status}}'").must();
    for (String line : all.split("\n")) {
      String service = line.replaceAll("^[^_]*_([^ ]*)_1 .*", "$1");
      String status = line.substring(line.indexOf(' ') + 1);
      boolean well =
          ONCE.contains(service)
              ? status.startsWith("Exited (0)")
              : status.startsWith("Up") && (status.endsWith("(healthy)") || isWatcher(service));
      if (!well) {
        unwell.put(service, status);
      }
    }
    return unwell;
  }

  /** Prometheus' own image has no check of its health. */
  private static boolean isWatcher(String service) {
    return service.equals("prometheus");
  }

  private String inGateway(String command) throws IOException, InterruptedException {
    return run("docker exec " + container("gateway") + " " + command).must();
  }

  private static String container(String service) {
    return "compose_" + service + "_1";
  }

  private String submitted() throws IOException, InterruptedException {
    // A terminal is what the line of the page has, and a test has none.
    return run(line(compose() + "exec").replace(" exec ", " exec -T ")).must().strip();
  }

  private void awaitEnd(String id) throws IOException, InterruptedException {
    Site.await(
        SOON, id + " has ended", () -> inGateway("qstat -xf " + id).contains("job_state = F"));
    String told = inGateway("qstat -xf " + id);
    assertTrue(told.contains("Exit_status = 0"), told);
  }

  @Test
  @Order(1)
  void aJobRuns() throws Exception {
    job = submitted();
    assertTrue(job.matches("[0-9]+\\.site"), job);
    awaitEnd(job);
  }

  @Test
  @Order(2)
  void prometheusAsksAllPartsAndTakesAllRules() throws Exception {
    JsonNode file =
        new ObjectMapper(new YAMLFactory())
            .readTree(site.checkout().resolve("ops/compose/prometheus.yml").toFile());
    Map<String, String> all = new TreeMap<>();
    file.at("/scrape_configs/0/static_configs/0/targets").forEach(it -> all.put(it.asText(), "up"));
    assertEquals(7, all.size());
    Site.await(SOON, "all targets are up", () -> prometheus.targets().equals(all));
    Map<String, String> well =
        MonitoringFiles.alerts().keySet().stream()
            .collect(Collectors.toMap(it -> it, it -> "ok", (a, b) -> a, TreeMap::new));
    Site.await(SOON, "all rules are well", () -> prometheus.rules().equals(well));
  }

  /** What a Prometheus that watches all this cannot tell although the file asks for it. */
  private Map<String, String> unanswered() throws IOException, InterruptedException {
    Map<String, String> unanswered = new TreeMap<>();
    Set<String> metrics = new TreeSet<>();
    for (String expression : MonitoringFiles.alerts().values()) {
      // It is raised where it has a value, so that what it is made of has to be there.
      prometheus.value(expression);
      metrics.addAll(Expression.of(expression).metrics());
    }
    for (String expression : MonitoringFiles.panels()) {
      Set<String> named = Expression.of(expression).metrics();
      metrics.addAll(named);
      if (prometheus.value(expression).isEmpty() && named.stream().noneMatch(ABSENT::containsKey)) {
        unanswered.put(expression, "empty");
      }
    }
    for (String metric : metrics) {
      if (prometheus.value(metric).isEmpty() != ABSENT.containsKey(metric)) {
        unanswered.put(metric, ABSENT.getOrDefault(metric, "empty"));
      }
    }
    return unanswered;
  }

  @Test
  @Order(3)
  void eachExpressionOfDashboardsAndAlertsHasAValueHere() throws Exception {
    Map<String, String> unanswered = new TreeMap<>();
    Polling.within(
        SOON,
        () -> {
          unanswered.clear();
          unanswered.putAll(unanswered());
          return unanswered.isEmpty();
        });
    assertEquals(Map.of(), unanswered);
  }

  /** The alerts that the page names for a killed server, as Prometheus has them. */
  private Set<String> ofAKilledServer(String instance) throws IOException {
    String alerts = Files.readString(site.checkout().resolve("docs/alerts.md"));
    String named =
        KILLED_SERVER
            .matcher(alerts)
            .results()
            .map((MatchResult it) -> it.group(1))
            .collect(Collectors.joining());
    Set<String> raised =
        ALERT
            .matcher(named)
            .results()
            .map(it -> it.group(1) + " " + instance)
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(!raised.isEmpty(), "the page names none: " + named);
    return raised;
  }

  @Test
  @Order(4)
  void aKilledServerRaisesWhatItsPageSaysUntilItIsBack() throws Exception {
    Set<String> expected = ofAKilledServer("server-1:9400");
    assertEquals(Set.of(), prometheus.raised());
    Set<String> seen = new TreeSet<>();
    run("docker kill " + container("server-1")).must();
    long killed = System.nanoTime();
    Site.await(RAISED, "raised: " + expected, () -> saw(seen).equals(expected));
    long tookMs = Duration.ofNanos(System.nanoTime() - killed).toMillis();
    awaitEnd(submitted());
    run("docker start " + container("server-1")).must();
    long back = System.nanoTime();
    Site.await(SOON, "the server is well", () -> saw(seen) != null && unwell().isEmpty());
    Site.await(SOON, "no alert is left", () -> saw(seen).isEmpty());
    long endMs = Duration.ofNanos(System.nanoTime() - back).toMillis();
    System.out.println(
        "e2e: compose: alert after " + tookMs + " ms, gone " + endMs + " ms after the start");
    assertEquals(expected, seen);
  }

  private Set<String> saw(Set<String> seen) throws IOException, InterruptedException {
    Set<String> raised = prometheus.raised();
    seen.addAll(raised);
    return raised;
  }

  /** What stands for the volumes of a pod: the site's join file, and a new home. */
  private Map<String, String> mounted(ChartPod pod) throws IOException, InterruptedException {
    Path tls = site.folder().resolve("tls");
    if (!Files.exists(tls)) {
      String of = container("web") + ":/etc/millrace/join/etc/tls/broker.";
      run("mkdir " + tls).must();
      run("docker cp " + of + "crt " + tls + "/tls.crt").must();
      run("docker cp " + of + "pem " + tls + "/tls.key").must();
      run("chgrp -R 10001 " + tls + "; chmod 0440 " + tls + "/*").must();
    }
    return Map.of("home", pod.name() + "-home", "join", "compose_join", "tls", tls.toString());
  }

  /** As Kubernetes starts them: without rights, and asked by the chart's own probes. */
  @Test
  @Order(5)
  void podsOfTheChartServeThere() throws Exception {
    List<ChartPod> pods =
        ChartPod.rendered(
            site.checkout().resolve("ops/chart/millrace"),
            Map.of(
                "join.secret", "join",
                "image.tag", Version.text(),
                "server.name", "site",
                "web.replicas", 1,
                "web.tlsSecret", "tls"));
    assertEquals(4, pods.size(), pods::toString);
    Map<ChartPod, String> addresses = new LinkedHashMap<>();
    for (ChartPod pod : pods) {
      List<String> sandbox = pod.sandbox("millrace/tools:" + Version.text(), "compose_default");
      run(sandbox.get(0)).must();
      addresses.put(pod, run(sandbox.get(1)).must().strip());
      run(pod.run(addresses.get(pod), mounted(pod))).must();
    }
    for (ChartPod pod : pods) {
      for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
        Site.await(
            SOON,
            pod.name() + ": " + probe,
            () -> probed(pod, addresses.get(pod), probe) || ended(pod));
        assertTrue(!ended(pod), () -> pod.name() + " has ended");
      }
    }
    for (ChartPod pod : pods) {
      run("docker rm --force --volumes " + String.join(" ", pod.containers())).must();
      run("docker volume rm " + pod.name() + "-home").must();
    }
  }

  private boolean probed(ChartPod pod, String address, String probe)
      throws IOException, InterruptedException {
    String answer = engine.get(address, pod.port(probe), pod.path(probe));
    return answer.startsWith("HTTP/1.1 200 ");
  }

  private boolean ended(ChartPod pod) throws IOException, InterruptedException {
    String running = run("docker inspect --format '{{.State.Running}}' " + pod.name()).must();
    if (running.startsWith("false")) {
      System.out.println(run("docker logs --tail 20 " + pod.name()));
    }
    return running.startsWith("false");
  }

  @Test
  @Order(6)
  void itEndsByOneLineAndGoesOnWithWhatItHad() throws Exception {
    run(line(compose() + "down")).must();
    assertEquals("", run("docker ps -aq").must());
    assertEquals("", run("docker network ls -q --filter type=custom").must());
    siteUp();
    Site.await(SOON, job + " is known", () -> inGateway("qstat -x " + job).contains(" F "));
    awaitEnd(submitted());
    run(line(compose() + "down") + " -v").must();
    assertEquals("", run("docker ps -aq; docker volume ls -q").must());
  }
}
