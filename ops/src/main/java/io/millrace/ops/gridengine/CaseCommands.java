package io.millrace.ops.gridengine;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Commands that were typed in a recorded session, if the folder has them: submissions, and
 * complex_values of hosts.
 */
final class CaseCommands {

  private static final String FILE = "commands.sh";

  private static final List<String> OFFERS =
      List.of("qconf", "-rattr", "exechost", "complex_values");

  private final List<List<String>> submissions = new ArrayList<>();
  private final Map<String, String> offers = new TreeMap<>();

  static CaseCommands of(Path folder) throws IOException {
    CaseCommands commands = new CaseCommands();
    Path file = folder.resolve(FILE);
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        commands.take(OptionLineWords.of(line));
      }
    }
    return commands;
  }

  private void take(List<String> words) {
    if (!words.isEmpty() && words.get(0).equals("qsub")) {
      submissions.add(words.subList(1, words.size()));
    } else if (words.size() == OFFERS.size() + 2 && words.subList(0, 4).equals(OFFERS)) {
      offers.put(words.get(5), words.get(4));
    }
  }

  /** complex_values that were set for hosts, by host; NONE for none. */
  Map<String, String> offers() {
    return Map.copyOf(offers);
  }

  /**
   * The last submission of a job of this name. Other submissions are not parsed, because they may
   * use unknown options.
   *
   * @throws ConfigurationRefused when this submission cannot be parsed
   */
  Optional<Submission> named(String job) {
    Optional<Submission> found = Optional.empty();
    for (List<String> words : submissions) {
      int name = words.indexOf("-N") + 1;
      boolean named = name > 0 && name < words.size() && words.get(name).equals(job);
      try {
        if (named || name == 0) {
          Submission submission = Submission.of(words);
          found = submission.name().equals(job) ? Optional.of(submission) : found;
        }
      } catch (RequestRefused e) {
        if (named) {
          throw new ConfigurationRefused(FILE, 0, "job " + job + ": " + e.getMessage());
        }
      }
    }
    return found;
  }
}
