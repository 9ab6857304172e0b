package io.millrace.ops.gridengine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The files schedule and outcome.json of a session, recorded or replayed, in comparable form. */
final class Recorded {

  private final Map<String, Start> starts = new TreeMap<>();
  private final List<Map<String, Set<String>>> plans = new ArrayList<>();

  /** A task's start: its time since the first start of the session, and what it was granted. */
  record Start(long at, Set<String> granted) {}

  Recorded(Path folder) throws IOException {
    JsonNode root = new ObjectMapper().readTree(folder.resolve("outcome.json").toFile());
    Map<Long, String> names = new HashMap<>();
    root.get("jobs")
        .properties()
        .forEach(
            job -> {
              names.put(job.getValue().get("id").asLong(), job.getKey());
              job.getValue()
                  .get("tasks")
                  .properties()
                  .forEach(task -> start(job.getKey() + "." + task.getKey(), task.getValue()));
            });
    sections(folder.resolve("schedule"), names, root.get("t0_epoch").asLong());
  }

  private void start(String task, JsonNode node) {
    if (node.hasNonNull("decided_offset")) {
      Set<String> granted = new TreeSet<>();
      node.get("granted").forEach(use -> granted.add(use.toString()));
      starts.put(task, new Start(node.get("decided_offset").asLong(), granted));
    }
  }

  private void sections(Path file, Map<Long, String> names, long begin) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (line.equals("::::::::")) {
        plans.add(new TreeMap<>());
        continue;
      }
      String[] part = line.split(":");
      if (part[2].equals("RESERVING")) {
        long start = Long.parseLong(part[3]);
        String task = names.get(Long.parseLong(part[0])) + "." + part[1];
        plans
            .get(plans.size() - 1)
            .computeIfAbsent(task, name -> new TreeSet<>())
            .add(
                (start == 0 ? "never" : String.valueOf(start - begin))
                    + "+"
                    + part[4]
                    + " "
                    + String.join(":", List.of(part).subList(5, 9)));
      }
    }
  }

  Map<String, Start> starts() {
    return starts;
  }

  /** By run: what is planned for each task. */
  List<Map<String, Set<String>>> plans() {
    return plans;
  }
}
