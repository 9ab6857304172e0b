package io.millrace.ops.origin2000;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;

/**
 * The folder of a recorded session or table of the Origin2000 scheduler: {@code state.json}, the
 * files of the scheduler, and {@code expected.json}.
 */
final class OriginCase {

  private static final String STATE = "state.json";
  private static final String DEFAULT_HOST = "hopper";

  private final Path folder;
  private final JsonNode state;

  private OriginCase(Path folder, JsonNode state) {
    this.folder = folder;
    this.state = state;
  }

  /** Whether a folder is one of this kind. */
  static boolean is(Path folder) {
    return Files.isRegularFile(folder.resolve(STATE));
  }

  /**
   * @throws ConfigurationRefused when the folder is none
   */
  static OriginCase read(Path folder) throws IOException {
    return new OriginCase(folder, CaseJson.read(folder.resolve(STATE)));
  }

  String file() {
    return folder.resolve(STATE).toString();
  }

  Path folder() {
    return folder;
  }

  JsonNode state() {
    return state;
  }

  /** Whether it is a table of texts or calls, rather than a session. */
  boolean isTable() {
    return state.has("inputs") || state.has("calls");
  }

  long startedAt() {
    return state.path("scheduler_started").asLong();
  }

  /**
   * A whole number that an object of the case must have.
   *
   * @throws ConfigurationRefused when it is missing or something else
   */
  long whole(JsonNode object, String key) {
    JsonNode value = object.path(key);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw lacks(object, key, "a whole number");
    }
    return value.asLong();
  }

  /**
   * A word that an object of the case must have.
   *
   * @throws ConfigurationRefused when it is missing or something else
   */
  String word(JsonNode object, String key) {
    if (!object.path(key).isTextual()) {
      throw lacks(object, key, "a word");
    }
    return object.get(key).asText();
  }

  private ConfigurationRefused lacks(JsonNode object, String key, String what) {
    String text = object.toString();
    return new ConfigurationRefused(
        file(),
        0,
        text.substring(0, Math.min(60, text.length())) + " must have '" + key + "', " + what);
  }

  OriginPlace place() {
    String zone = state.path("time_zone").asText("UTC");
    try {
      return new OriginPlace(state.path("this_host").asText(DEFAULT_HOST), ZoneId.of(zone));
    } catch (DateTimeException e) {
      throw new ConfigurationRefused(file(), 0, "'" + zone + "' is no time zone");
    }
  }
}
