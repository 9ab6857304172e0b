package io.millrace.ops.schedconfig;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.schedulers.dialects.schedconfig.replay.SiteSession;
import io.millrace.schedulers.dialects.schedconfig.replay.SiteStep;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.PlainText;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The folder of a recorded session: {@code about.json}, {@code steps.json}, {@code setup.qmgr},
 * {@code sched_priv/}, at times {@code dyn/}.
 */
final class SiteCaseFolder {

  private static final JsonMapper JSON = new JsonMapper();

  private static final Set<String> ACTIONS =
      Set.of(
          "submit",
          "cycle",
          "scheduling",
          "wait",
          "qdel",
          "qmgr",
          "hup",
          "file",
          "pbsfs",
          "snapshot");

  private final Path folder;

  SiteCaseFolder(Path folder) {
    this.folder = folder;
  }

  /** Reads a file that has to be JSON. */
  JsonNode json(String name) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.isRegularFile(file)) {
      throw new ConfigurationRefused(file.toString(), 0, "there is no such file");
    }
    try {
      return JSON.readTree(file.toFile());
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new ConfigurationRefused(
          file.toString(), line, "this is no JSON: " + e.getOriginalMessage());
    }
  }

  private ConfigurationRefused refused(String file, String reason) {
    return new ConfigurationRefused(folder.resolve(file).toString(), 0, reason);
  }

  /** The session, with the programs that run beside it. */
  SiteSession session(SessionPrograms programs) throws IOException {
    JsonNode about = json("about.json");
    return new SiteSession(
        begin(about), zone(about), files(), text("setup.qmgr").lines().toList(), steps(), programs);
  }

  private Instant begin(JsonNode about) {
    String now = about.path("now").asText();
    try {
      return Instant.parse(now);
    } catch (DateTimeException e) {
      throw refused(
          "about.json", "'now' is '" + now + "', but must be a moment as 2026-11-24T00:18:19Z");
    }
  }

  private ZoneId zone(JsonNode about) {
    String zone = about.path("time_zone").asText("UTC");
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException e) {
      throw refused("about.json", "'time_zone' is '" + zone + "', but must be a zone as UTC");
    }
  }

  /** Modes of scripts, by name, as chmod knows them. */
  Map<String, String> modes() throws IOException {
    Map<String, String> modes = new TreeMap<>();
    json("about.json")
        .path("script_modes")
        .properties()
        .forEach(each -> modes.put(each.getKey(), each.getValue().asText()));
    return modes;
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (String name : SitePolicyFolder.FILES) {
      Path file = folder.resolve("sched_priv").resolve(name);
      if (Files.isRegularFile(file)) {
        files.put(name, PlainText.of(file.toString(), Files.readAllBytes(file)));
      }
    }
    return files;
  }

  private String text(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.isRegularFile(file) ? PlainText.of(file.toString(), Files.readAllBytes(file)) : "";
  }

  private List<SiteStep> steps() throws IOException {
    JsonNode list = json("steps.json");
    if (!list.isArray()) {
      throw refused("steps.json", "this must be a list of steps");
    }
    List<SiteStep> steps = new ArrayList<>();
    for (JsonNode step : list) {
      steps.add(step(step, steps.size() + 1));
    }
    return steps;
  }

  private SiteStep step(JsonNode step, int number) {
    String action = step.path("do").asText();
    if (!ACTIONS.contains(action)) {
      throw refused(
          "steps.json", "step " + number + " is '" + action + "', but must be one of " + sorted());
    }
    if (!step.path("at").isNumber() || step.path("at").asDouble() < 0) {
      throw refused("steps.json", "step " + number + " needs 'at', a number of seconds");
    }
    String name = step.path("label").asText(step.path("name").asText());
    double amount =
        step.path("sleep")
            .asDouble(step.path("seconds").asDouble(step.path("value").asBoolean() ? 1 : 0));
    return new SiteStep(
        step.path("at").asDouble(), action, name, words(step), user(step, action), amount);
  }

  private static String sorted() {
    return String.join(", ", ACTIONS.stream().sorted().toList());
  }

  private static String user(JsonNode step, String action) {
    return step.path("user").asText(action.equals("submit") ? "u1" : "");
  }

  private static List<String> words(JsonNode step) {
    List<String> words = new ArrayList<>();
    for (String key : List.of("args", "commands", "lines", "command", "content")) {
      JsonNode value = step.path(key);
      if (value.isArray()) {
        value.forEach(word -> words.add(word.asText()));
      } else if (value.isTextual()) {
        words.add(value.asText());
      }
    }
    return words;
  }
}
