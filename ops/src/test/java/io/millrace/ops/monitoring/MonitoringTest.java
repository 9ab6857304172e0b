package io.millrace.ops.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Alert rules and dashboards name only what the page about metrics lists. */
class MonitoringTest {

  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));
  private static final Path ALERTS = ROOT.resolve("ops/monitoring/alerts.yml");
  private static final Path SITE = ROOT.resolve("ops/monitoring/site.json");

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

  private static List<JsonNode> rules() throws IOException {
    JsonNode all = new ObjectMapper(new YAMLFactory()).readTree(ALERTS.toFile());
    List<JsonNode> rules = new ArrayList<>();
    all.path("groups").forEach(group -> group.path("rules").forEach(rules::add));
    return rules;
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
  void theDashboardNamesOnlyWhatIsListed() throws IOException {
    Map<String, Set<String>> listed = listed();
    Map<String, List<String>> wrong = new TreeMap<>();
    int expressions = 0;
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : new ObjectMapper().readTree(SITE.toFile()).path("panels")) {
      assertTrue(ids.add(panel.path("id").asInt()), panel.path("title").asText());
      for (JsonNode target : panel.path("targets")) {
        expressions++;
        List<String> found = wrong(target.path("expr").asText(), listed);
        if (!found.isEmpty()) {
          wrong.put(panel.path("title").asText(), found);
        }
      }
    }
    assertEquals(Map.of(), wrong);
    assertTrue(expressions > 20, expressions + " expressions");
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

  /** Prometheus' own tool, where it is installed. */
  @Test
  void promtoolTakesTheRules() throws Exception {
    List<File> tools =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .map(folder -> new File(folder, "promtool"))
            .filter(File::canExecute)
            .toList();
    assumeTrue(!tools.isEmpty(), "promtool is not installed");
    Process check =
        new ProcessBuilder(tools.get(0).toString(), "check", "rules", ALERTS.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, check.waitFor(), said);
  }
}
