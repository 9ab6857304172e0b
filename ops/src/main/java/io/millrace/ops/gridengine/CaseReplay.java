package io.millrace.ops.gridengine;

import io.millrace.ops.word.Console;
import io.millrace.schedulers.dialects.gridengine.replay.ReplaySession;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.JobOutcome;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.TaskOutcome;
import io.millrace.schedulers.dialects.gridengine.replay.SessionReplay;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code simulate --case DIR}: replays a recorded session and writes its files into its folder. */
public final class CaseReplay {

  private CaseReplay() {}

  /**
   * @param json whether to print outcome.json rather than a table
   * @return the exit code: 0, or 1 when the folder is wrong
   */
  public static int run(Path folder, boolean json, Console console) throws IOException {
    try {
      CaseFolder given = new CaseFolder(folder);
      ReplaySession session = given.session();
      given.warnings().forEach(it -> System.err.println("millrace simulate: " + it));
      SessionOutcome outcome = SessionReplay.of(session);
      CaseReport report = new CaseReport(outcome);
      String text = report.outcome(given.name(), given.what());
      Files.writeString(folder.resolve("schedule"), report.schedule());
      Files.writeString(folder.resolve("outcome.json"), text);
      if (json) {
        console.say(text.strip());
      } else {
        table(outcome, console);
      }
      outcome.profiles().forEach(System.err::println);
      return 0;
    } catch (ConfigurationRefused e) {
      System.err.println("millrace simulate: " + e.getMessage());
      return 1;
    }
  }

  private static void table(SessionOutcome outcome, Console console) {
    console.say(String.format("%-12s %8s %8s  %s", "task", "start", "end", "where"));
    for (JobOutcome job : outcome.jobs()) {
      for (Map.Entry<Integer, TaskOutcome> task : job.tasks().entrySet()) {
        console.say(row(job, task.getKey(), task.getValue()));
      }
    }
  }

  private static String row(JobOutcome job, int number, TaskOutcome task) {
    String name = job.job().identity().name() + "." + number;
    if (task.start().isEmpty()) {
      return String.format("%-12s %8s %8s  %s", name, "-", "-", "never started");
    }
    String where =
        task.start().get().assignment().grants().stream()
            .map(grant -> grant.queue().name() + " " + grant.slots())
            .collect(Collectors.joining(", "));
    return String.format("%-12s %8d %8d  %s", name, task.start().get().at_s(), task.end_s(), where);
  }
}
