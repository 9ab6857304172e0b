package io.millrace.ops.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The nodes of the executors that {@code up} has started. */
final class ExecutorNodes {

  private static final Pattern EXECUTOR = Pattern.compile("executor(?:-(\\d+))?");
  private static final Pattern ABSENT = Pattern.compile("down|unknown");

  private ExecutorNodes() {}

  /** A running executor may not have announced its resources yet. */
  static boolean allServe(Site site) throws IOException, InterruptedException {
    List<Integer> executors = new ArrayList<>();
    for (String part : site.processes().keySet()) {
      Matcher executor = EXECUTOR.matcher(part);
      if (executor.matches()) {
        executors.add(executor.group(1) == null ? 1 : Integer.parseInt(executor.group(1)));
      }
    }
    if (executors.isEmpty()) {
      return true; // and perhaps there are no nodes to look at
    }
    Map<String, String> states = states(site);
    for (int number : executors) {
      String state = states.getOrDefault(Installation.host(number), "unknown");
      if (ABSENT.matcher(state).find()) {
        return false;
      }
    }
    return true;
  }

  private static Map<String, String> states(Site site) throws IOException, InterruptedException {
    Map<String, String> states = new HashMap<>();
    // pbsnodes' tables cut long names, so JSON is used.
    JsonNode nodes = new ObjectMapper().readTree(site.look("pbsnodes", "-a", "-F", "json"));
    nodes
        .path("nodes")
        .properties()
        .forEach(it -> states.put(it.getKey(), it.getValue().path("state").asText()));
    return states;
  }
}
