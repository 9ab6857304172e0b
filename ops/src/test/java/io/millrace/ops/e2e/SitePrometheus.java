package io.millrace.ops.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a Prometheus tells at the port that a container engine publishes. */
final class SitePrometheus {

  private static final int PORT = 9090;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ContainerEngine engine;

  SitePrometheus(ContainerEngine engine) {
    this.engine = engine;
  }

  /** What it answers to a question that it understands. */
  private JsonNode ask(String path) throws IOException, InterruptedException {
    String all = engine.get("127.0.0.1", PORT, path);
    String body = all.substring(all.indexOf("\r\n\r\n") + 4);
    JsonNode answer = JSON.readTree(body);
    if (!"success".equals(answer.path("status").asText())) {
      throw new AssertionError(path + ": " + all);
    }
    return answer.path("data");
  }

  /** The series or the one number that an expression has now. */
  JsonNode value(String expression) throws IOException, InterruptedException {
    String text = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    return ask("/api/v1/query?query=" + text).path("result");
  }

  /** Health of each target, by its address. */
  Map<String, String> targets() throws IOException, InterruptedException {
    Map<String, String> targets = new TreeMap<>();
    for (JsonNode target : ask("/api/v1/targets?state=active").path("activeTargets")) {
      targets.put(target.at("/labels/instance").asText(), target.path("health").asText());
    }
    return targets;
  }

  /** Health of each alert rule, by its name, with the error of one that is not well. */
  Map<String, String> rules() throws IOException, InterruptedException {
    Map<String, String> rules = new TreeMap<>();
    for (JsonNode group : ask("/api/v1/rules?type=alert").path("groups")) {
      for (JsonNode rule : group.path("rules")) {
        String health = rule.path("health").asText() + rule.path("lastError").asText();
        rules.put(rule.path("name").asText(), health);
      }
    }
    return rules;
  }

  /** Name and instance of each alert that is raised now. */
  Set<String> raised() throws IOException, InterruptedException {
    Set<String> raised = new TreeSet<>();
    for (JsonNode alert : ask("/api/v1/alerts").path("alerts")) {
      if ("firing".equals(alert.path("state").asText())) {
        JsonNode labels = alert.path("labels");
        raised.add(labels.path("alertname").asText() + " " + labels.path("instance").asText());
      }
    }
    return raised;
  }
}
