package io.millrace.ops.gridengine;

import io.millrace.schedulers.dialects.gridengine.request.Submission;
import io.millrace.schedulers.dialects.gridengine.request.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What was typed in a recorded session, where its folder has it: jobs, and what hosts offer. */
final class CaseCommands {

  private static final List<String> OFFERS =
      List.of("qconf", "-rattr", "exechost", "complex_values");

  private final Map<String, Submission> byName = new HashMap<>();
  private final Map<String, String> offers = new TreeMap<>();

  static CaseCommands of(Path folder) throws IOException {
    CaseCommands commands = new CaseCommands();
    Path file = folder.resolve("commands.sh");
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        commands.take(Words.of(line));
      }
    }
    return commands;
  }

  private void take(List<String> words) {
    if (!words.isEmpty() && words.get(0).equals("qsub")) {
      Submission submission = Submission.of(words.subList(1, words.size()));
      byName.put(submission.name(), submission);
    } else if (words.size() == OFFERS.size() + 2 && words.subList(0, 4).equals(OFFERS)) {
      offers.put(words.get(5), words.get(4));
    }
  }

  /** complex_values that hosts were given, by host; NONE for nothing. */
  Map<String, String> offers() {
    return Map.copyOf(offers);
  }

  Optional<Submission> named(String job) {
    return Optional.ofNullable(byName.get(job));
  }
}
