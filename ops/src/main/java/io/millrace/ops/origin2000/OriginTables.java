package io.millrace.ops.origin2000;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigChecks;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.IOException;
import java.nio.file.Files;

/** The cases that are tables: texts that are taken or refused, and calls of single functions. */
final class OriginTables {

  /** The command that was there when the texts were recorded. */
  private static final String RECORDED_COMMAND = "./dedtime";

  private final OriginCase given;

  OriginTables(OriginCase given) {
    this.given = given;
  }

  ObjectNode replay() throws IOException {
    ObjectNode root = CaseJson.MAPPER.createObjectNode();
    JsonNode state = given.state();
    if (state.has("inputs")) {
      ArrayNode rows = root.putArray("rows");
      ObjectNode first = null;
      for (JsonNode input : state.get("inputs")) {
        ObjectNode row = row(input, first);
        first = first == null && row.has("settings") ? row.get("settings").deepCopy() : first;
        rows.add(row);
      }
    }
    if (state.has("calls")) {
      OriginFiles files = new OriginFiles(given.folder());
      OriginConfig config = OriginTexts.config(files, given.place());
      OriginCalls calls = new OriginCalls(config, OriginTexts.holidays(files), given.place());
      ArrayNode results = root.putArray("results");
      for (JsonNode call : state.get("calls")) {
        results.add(calls.result(call));
      }
    }
    return root;
  }

  /**
   * Whether a text is taken.
   *
   * @param first all settings of the first one that was: of later ones only others are told
   */
  private ObjectNode row(JsonNode input, ObjectNode first) {
    ObjectNode row = CaseJson.MAPPER.createObjectNode().put("label", input.path("label").asText());
    try {
      OriginConfig config =
          OriginConfigText.read("config", input.path("config").asText(), given.place()).config();
      OriginConfigChecks.check("config", config, this::executable);
      if (input.hasNonNull("holidays")) {
        OriginHolidays.read("holidays", input.get("holidays").asText());
      }
      ObjectNode settings = OriginTexts.settings(config);
      if (first != null) {
        first
            .properties()
            .forEach(
                it -> {
                  if (it.getValue().equals(settings.get(it.getKey()))) {
                    settings.remove(it.getKey());
                  }
                });
      }
      row.set("settings", settings);
      row.put("accepted", true);
    } catch (ConfigurationRefused e) {
      row.put("accepted", false).putArray("log").add(e.getMessage());
    }
    return row;
  }

  private boolean executable(String command) {
    return command.equals(RECORDED_COMMAND) || Files.isExecutable(given.folder().resolve(command));
  }
}
