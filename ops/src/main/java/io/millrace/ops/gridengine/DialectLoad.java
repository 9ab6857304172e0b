package io.millrace.ops.gridengine;

import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.ops.home.Home;
import io.millrace.ops.installation.HomeClient;
import io.millrace.ops.installation.Parts;
import io.millrace.ops.word.Console;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Loads the files of a policy into a scheduler object: the texts themselves in one change, or the
 * attributes that say the same.
 *
 * @param follow whether changes of a PBS scheduler's files are loaded from then on
 */
record DialectLoad(Home home, String scheduler, Path folder, String zone, boolean follow) {

  /**
   * Checks the texts and hands them over.
   *
   * @return exit code: 1 when the texts are wrong or the server refuses them
   */
  int load(PolicyDialect dialect, Map<String, String> texts, Console console)
      throws IOException, UsageException, InterruptedException {
    PolicyDialect.PolicyReading reading = dialect.read(texts, false);
    tell("note: ", reading.notes());
    tell("", reading.refusals());
    if (!reading.refusals().isEmpty()) {
      return 1;
    }
    Optional<List<Attribute>> attributes = dialect.attributes(texts);
    if (attributes.isPresent()) {
      return set(reading, attributes.get(), console);
    }
    int status = PolicyWord.gateway(home, folder, words(texts), console);
    if (status == 0 && follow && !Parts.policyFiles(home)) {
      console.say(
          "note: the files of this home do not count, but those of the one that was started by"
              + " ./millrace up --policy-files yes");
    }
    return status;
  }

  private List<String> words(Map<String, String> texts) throws IOException {
    String followed = follow ? folder.toRealPath().toString() : "-";
    List<String> words = new ArrayList<>(List.of("sched-config-load", scheduler, zone, followed));
    texts.keySet().forEach(name -> words.add(folder.resolve(name).toAbsolutePath().toString()));
    return words;
  }

  private int set(PolicyDialect.PolicyReading reading, List<Attribute> attributes, Console console)
      throws IOException, UsageException, InterruptedException {
    for (String line : lines(scheduler, attributes)) {
      HomeClient.HomeCommandResult said =
          new HomeClient(home).call(folder.toAbsolutePath(), "qmgr", "-c", line);
      if (said.status() != 0) {
        said.lines().forEach(System.err::println);
        return said.status();
      }
    }
    console.say("scheduler " + scheduler + ": " + reading.summary());
    return 0;
  }

  /** A line of qmgr that sets what has a value, and one that unsets the rest. */
  static List<String> lines(String scheduler, List<Attribute> attributes) {
    List<String> lines = new ArrayList<>();
    String set =
        attributes.stream()
            .filter(it -> !it.getValue().isEmpty())
            .map(it -> it.getName() + " = \"" + it.getValue() + "\"")
            .collect(Collectors.joining(","));
    String unset =
        attributes.stream()
            .filter(it -> it.getValue().isEmpty())
            .map(Attribute::getName)
            .collect(Collectors.joining(","));
    lines.add("set sched " + scheduler + " " + set);
    if (!unset.isEmpty()) {
      lines.add("unset sched " + scheduler + " " + unset);
    }
    return lines;
  }

  private void tell(String what, List<String> lines) {
    lines.forEach(line -> System.err.println("millrace policy: " + what + folder + "/" + line));
  }
}
