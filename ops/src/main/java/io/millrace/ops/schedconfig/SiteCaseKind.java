package io.millrace.ops.schedconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.ops.dialect.CaseKind;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.dialects.schedconfig.replay.SiteOutcome;
import io.millrace.schedulers.dialects.schedconfig.replay.SitePlayer;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Sessions of a PBS server with files of its scheduler. */
public final class SiteCaseKind implements CaseKind {

  @Override
  public boolean knows(Path folder) {
    return Files.isRegularFile(folder.resolve("steps.json"))
        && Files.isRegularFile(folder.resolve("about.json"))
        && Files.isDirectory(folder.resolve("sched_priv"));
  }

  @Override
  public int play(Path folder, CaseReplayOptions wanted, Console console) throws IOException {
    try {
      SiteCaseFolder given = new SiteCaseFolder(folder);
      ObjectNode outcome = outcome(given, folder);
      if (wanted.out().isPresent()) {
        Files.writeString(wanted.out().get(), OutcomeJson.print(outcome));
      }
      if (wanted.compare()) {
        return compare(given, folder, outcome, wanted.tolerance(), console);
      }
      if (wanted.json()) {
        console.say(OutcomeJson.print(outcome).strip());
      } else if (wanted.out().isEmpty()) {
        table(outcome, console);
      }
      return 0;
    } catch (ConfigurationRefused e) {
      System.err.println("millrace simulate: " + e.getMessage());
      return 1;
    }
  }

  private static ObjectNode outcome(SiteCaseFolder given, Path folder) throws IOException {
    try (SessionPrograms programs = SessionPrograms.of(folder.resolve("dyn"), given.modes())) {
      SiteOutcome outcome = SitePlayer.play(given.session(programs));
      return OutcomeJson.of(outcome);
    }
  }

  /**
   * Names of the fields in which a session's outcome differs from the recorded one.
   *
   * @param tolerance by how much usages may differ
   */
  static List<String> differences(Path folder, int tolerance) throws IOException {
    SiteCaseFolder given = new SiteCaseFolder(folder);
    return OutcomeComparison.of(given.json("outcome.json"), outcome(given, folder), tolerance);
  }

  private static int compare(
      SiteCaseFolder given, Path folder, JsonNode outcome, int tolerance, Console console)
      throws IOException {
    List<String> differences = OutcomeComparison.of(given.json("outcome.json"), outcome, tolerance);
    if (differences.isEmpty()) {
      console.say(folder + ": as recorded");
      return 0;
    }
    differences.forEach(console::say);
    return 1;
  }

  private static void table(ObjectNode outcome, Console console) {
    console.say(String.format("%-12s %5s %6s %6s  %s", "job", "state", "start", "cycle", "where"));
    for (Map.Entry<String, JsonNode> job : outcome.path("jobs").properties()) {
      JsonNode it = job.getValue();
      String where = it.path("exec_vnode").asText(it.path("comment").asText());
      console.say(
          String.format(
              "%-12s %5s %6s %6s  %s",
              job.getKey(),
              it.path("state").asText(),
              it.path("started").asText("-"),
              it.path("cycle").asText("-"),
              where));
    }
  }
}
