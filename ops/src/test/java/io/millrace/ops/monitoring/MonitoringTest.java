package io.millrace.ops.monitoring;

import static io.millrace.ops.monitoring.MonitoringFiles.ALERTS;
import static io.millrace.ops.monitoring.MonitoringFiles.DASHBOARDS;
import static io.millrace.ops.monitoring.MonitoringFiles.ROOT;
import static io.millrace.ops.monitoring.MonitoringFiles.dashboard;
import static io.millrace.ops.monitoring.MonitoringFiles.expressions;
import static io.millrace.ops.monitoring.MonitoringFiles.rules;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.millrace.schemas.health.Metric;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alert rules and dashboards name only what the page about metrics lists. */
class MonitoringTest {

  private static final Path ALERTS_TEST = ROOT.resolve("ops/monitoring/alerts-test.yml");

  private static final Pattern LISTED =
      Pattern.compile("(?m)^- `(\\w+)` \\((\\w+); [^;)]+(?:; by ([^)]*))?\\):$");

  /** What Prometheus adds itself, and the labels of a histogram. */
  private static final Set<String> USUAL_LABELS = Set.of("job", "instance", "le");

  /** By the names of series, the labels that they have. */
  private static Map<String, Set<String>> listed() throws IOException {
    Map<String, Set<String>> listed = new HashMap<>();
    Matcher items = LISTED.matcher(Files.readString(ROOT.resolve("docs/metrics.md")));
    while (items.find()) {
      Set<String> labels = new HashSet<>(USUAL_LABELS);
      if (items.group(3) != null) {
        Arrays.stream(items.group(3).split(", "))
            .map(label -> label.replace("`", ""))
            .forEach(labels::add);
      }
      if (items.group(2).equals("histogram")) {
        List.of("_bucket", "_sum", "_count")
            .forEach(end -> listed.put(items.group(1) + end, labels));
      } else {
        listed.put(items.group(1), labels);
      }
    }
    listed.put("up", USUAL_LABELS);
    return listed;
  }

  /** What is wrong with an expression; empty when nothing is. */
  private static List<String> wrong(String text, Map<String, Set<String>> listed) {
    Expression expression = Expression.of(text);
    List<String> wrong = new ArrayList<>();
    Set<String> labels = new HashSet<>();
    for (String metric : expression.metrics()) {
      if (!listed.containsKey(metric)) {
        wrong.add(metric + " is not listed");
      }
      labels.addAll(listed.getOrDefault(metric, Set.of()));
    }
    for (String label : expression.labels()) {
      if (!labels.contains(label)) {
        wrong.add("nothing there has the label " + label);
      }
    }
    if (expression.metrics().isEmpty()) {
      wrong.add("no metric is named");
    }
    return wrong;
  }

  @Test
  void thePageIsUnderstood() throws IOException {
    Map<String, Set<String>> listed = listed();
    assertTrue(listed.size() > 40, listed.keySet().toString());
    assertTrue(listed.get("millrace_jobs").containsAll(Set.of("shard", "queue", "state")));
    assertTrue(listed.containsKey("millrace_cycle_seconds_bucket"));
    assertFalse(listed.containsKey("millrace_cycle_seconds"));
  }

  @Test
  void alertsNameOnlyWhatIsListedAndEachHasItsParagraph() throws IOException {
    Map<String, Set<String>> listed = listed();
    String page = Files.readString(ROOT.resolve("docs/alerts.md"));
    Map<String, List<String>> wrong = new TreeMap<>();
    Set<String> names = new HashSet<>();
    for (JsonNode rule : rules()) {
      String name = rule.path("alert").asText();
      List<String> found = wrong(rule.path("expr").asText(), listed);
      assertTrue(names.add(name), name);
      if (!found.isEmpty()) {
        wrong.put(name, found);
      }
      String runbook = rule.path("annotations").path("runbook").asText();
      assertEquals("docs/alerts.md#" + name.toLowerCase(Locale.ROOT), runbook);
      String summary = rule.path("annotations").path("summary").asText();
      String paragraphs =
          "(?m)^## " + name + "\n\n" + Pattern.quote("*" + summary + "* ") + "(.+\n)+\n.{20,}";
      assertTrue(
          Pattern.compile(paragraphs).matcher(page).find(),
          name + " has no paragraphs of what it means and of what to do");
    }
    assertEquals(Map.of(), wrong);
    long headings = page.lines().filter(line -> line.startsWith("## ")).count();
    assertEquals(names.size(), headings, "paragraphs of alerts that are not there");
  }

  @Test
  void dashboardsNameOnlyWhatIsListed() throws IOException {
    Map<String, Set<String>> listed = listed();
    Map<String, List<String>> wrong = new TreeMap<>();
    for (String name : DASHBOARDS) {
      JsonNode dashboard = dashboard(name);
      assertEquals("millrace-" + name, dashboard.path("uid").asText());
      Set<Integer> ids = new HashSet<>();
      dashboard.path("panels").forEach(panel -> ids.add(panel.path("id").asInt()));
      Map<String, List<String>> expressions = expressions(dashboard);
      assertEquals(expressions.size(), ids.size(), name + " has panels of the same number");
      expressions.forEach(
          (title, all) -> {
            assertFalse(all.isEmpty(), name + ": " + title);
            all.stream()
                .flatMap(expression -> wrong(expression, listed).stream())
                .forEach(
                    it ->
                        wrong.computeIfAbsent(name + ": " + title, t -> new ArrayList<>()).add(it));
          });
      assertTrue(expressions.size() >= 10, name + " has few panels");
    }
    assertEquals(Map.of(), wrong);
    try (Stream<Path> files = Files.list(ALERTS.getParent())) {
      assertEquals(
          DASHBOARDS.size(), files.filter(file -> file.toString().endsWith(".json")).count());
    }
  }

  @Test
  void eachNumberIsWatched() throws IOException {
    Set<String> watched = new HashSet<>();
    for (JsonNode rule : rules()) {
      watched.addAll(Expression.of(rule.path("expr").asText()).metrics());
    }
    for (String name : DASHBOARDS) {
      expressions(dashboard(name)).values().stream()
          .flatMap(List::stream)
          .forEach(it -> watched.addAll(Expression.of(it).metrics()));
    }
    List<String> unseen = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      boolean histogram = metric.kind() == Metric.MetricKind.HISTOGRAM;
      if (!watched.contains(metric.text() + (histogram ? "_bucket" : ""))) {
        unseen.add(metric.text());
      }
    }
    assertEquals(List.of(), unseen);
  }

  /** That {@code promtool test rules} tries each rule both ways. */
  @Test
  void eachAlertIsTriedWhenItIsRaisedAndWhenItIsNot() throws IOException {
    Set<String> raised = new HashSet<>();
    Set<String> silent = new HashSet<>();
    JsonNode all = new ObjectMapper(new YAMLFactory()).readTree(ALERTS_TEST.toFile());
    for (JsonNode test : all.path("tests")) {
      for (JsonNode look : test.path("alert_rule_test")) {
        boolean none = look.path("exp_alerts").isEmpty();
        (none ? silent : raised).add(look.path("alertname").asText());
      }
    }
    Set<String> names = new HashSet<>();
    rules().forEach(rule -> names.add(rule.path("alert").asText()));
    assertEquals(names, raised);
    assertEquals(names, silent);
  }

  @Test
  void whatIsNotListedIsFound() throws IOException {
    Map<String, Set<String>> listed = listed();
    assertEquals(
        List.of("millrace_job is not listed", "nothing there has the label queue"),
        wrong("sum by (queue) (rate(millrace_job[5m])) > 1e3", listed));
    assertEquals(
        List.of("nothing there has the label user"),
        wrong("topk(50, millrace_jobs{user=\"x\"}) or vector(0)", listed));
    assertEquals(List.of("no metric is named"), wrong("vector(1) > 0", listed));
    assertEquals(
        List.of(), wrong("time() - millrace_accounting_written_timestamp_seconds > 60", listed));
    assertEquals(
        List.of(),
        wrong("millrace_ready == bool 0 unless on (instance) up{job=\"millrace\"}", listed));
  }

  /** Prometheus' own tool; the gate installs it where it may. */
  @Test
  void promtoolTakesTheRulesAndTheirTests() throws Exception {
    Path tool = promtool();
    assertEquals(0, status(tool, "check", "rules", ALERTS.toString()));
    assertEquals(0, status(tool, "test", "rules", ALERTS_TEST.toString()));
  }

  @Test
  void promtoolFindsAnAlertThatIsNotRaised(@TempDir Path folder) throws Exception {
    Path tool = promtool();
    String rules = Files.readString(ALERTS);
    String planted = rules.replace("millrace_ready == 0", "millrace_ready == 2");
    assertNotEquals(rules, planted);
    Files.writeString(folder.resolve("alerts.yml"), planted);
    Path tests = Files.copy(ALERTS_TEST, folder.resolve("alerts-test.yml"));
    assertNotEquals(0, status(tool, "test", "rules", tests.toString()));
  }

  /** Each expression of each dashboard, as a rule that records it. */
  @Test
  void promtoolUnderstandsTheDashboards(@TempDir Path folder) throws Exception {
    Path tool = promtool();
    List<Map<String, String>> recorded = new ArrayList<>();
    for (String expression : MonitoringFiles.panels()) {
      recorded.add(Map.of("record", "panel:" + recorded.size(), "expr", expression));
    }
    Path file = folder.resolve("panels.yml");
    Object groups = Map.of("groups", List.of(Map.of("name", "panels", "rules", recorded)));
    new ObjectMapper(new YAMLFactory()).writeValue(file.toFile(), groups);
    assertEquals(0, status(tool, "check", "rules", file.toString()));
  }

  private static Path promtool() {
    Optional<Path> tool =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .map(folder -> Path.of(folder, "promtool"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(
        tool.isPresent(),
        "SKIPPED: alert rules and dashboards are not tried with promtool, which is not here:"
            + " apt-get install prometheus");
    return tool.orElseThrow();
  }

  private static int status(Path tool, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(tool.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    System.out.print(said);
    return process.waitFor();
  }
}
