package io.millrace.ops.monitoring;

import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Alert rules and dashboards, as they are delivered. */
public final class MonitoringFiles {

  static final Path ROOT = Path.of(System.getProperty("millrace.root"));
  static final Path ALERTS = ROOT.resolve("ops/monitoring/alerts.yml");
  static final List<String> DASHBOARDS = List.of("site", "shards", "executors", "kafka");

  private MonitoringFiles() {}

  static List<JsonNode> rules() throws IOException {
    JsonNode all = new ObjectMapper(new YAMLFactory()).readTree(ALERTS.toFile());
    List<JsonNode> rules = new ArrayList<>();
    all.path("groups").forEach(group -> group.path("rules").forEach(rules::add));
    return rules;
  }

  /** The expression of each alert, by its name. */
  public static Map<String, String> alerts() throws IOException {
    Map<String, String> alerts = new TreeMap<>();
    for (JsonNode rule : rules()) {
      alerts.put(rule.path("alert").asText(), rule.path("expr").asText());
    }
    return alerts;
  }

  static JsonNode dashboard(String name) throws IOException {
    return new ObjectMapper().readTree(ROOT.resolve("ops/monitoring/" + name + ".json").toFile());
  }

  /** All expressions of a dashboard, by the titles of its panels. */
  static Map<String, List<String>> expressions(JsonNode dashboard) {
    Map<String, List<String>> expressions = new TreeMap<>();
    for (JsonNode panel : dashboard.path("panels")) {
      List<String> all = new ArrayList<>();
      panel.path("targets").forEach(target -> all.add(target.path("expr").asText()));
      String title = panel.path("title").asText();
      assertNull(expressions.put(title, all), title);
    }
    return expressions;
  }

  /** Each expression of each dashboard, for all that can be chosen there. */
  public static List<String> panels() throws IOException {
    List<String> panels = new ArrayList<>();
    for (String name : DASHBOARDS) {
      for (List<String> all : expressions(dashboard(name)).values()) {
        all.forEach(expression -> panels.add(expression.replace("$shard", ".*")));
      }
    }
    return panels;
  }
}
