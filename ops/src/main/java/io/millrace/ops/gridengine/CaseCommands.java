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

/** The qsub lines that were typed in a recorded session, where its folder has them. */
final class CaseCommands {

  private final Map<String, Submission> byName = new HashMap<>();

  static CaseCommands of(Path folder) throws IOException {
    CaseCommands commands = new CaseCommands();
    Path file = folder.resolve("commands.sh");
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        List<String> words = Words.of(line);
        if (!words.isEmpty() && words.get(0).equals("qsub")) {
          Submission submission = Submission.of(words.subList(1, words.size()));
          commands.byName.put(submission.name(), submission);
        }
      }
    }
    return commands;
  }

  Optional<Submission> named(String job) {
    return Optional.ofNullable(byName.get(job));
  }
}
