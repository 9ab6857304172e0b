package io.millrace.ops.gridengine;

import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.ops.home.Home;
import io.millrace.ops.installation.HomeClient;
import io.millrace.ops.word.Console;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Loads a policy that becomes attributes of a scheduler object, by way of qmgr. */
final class DialectLoad {

  private final Home home;
  private final String scheduler;
  private final Path folder;

  DialectLoad(Home home, String scheduler, Path folder) {
    this.home = home;
    this.scheduler = scheduler;
    this.folder = folder;
  }

  /**
   * Checks the texts, and sets what the object obeys of them; says what it does not obey.
   *
   * @return exit code: 1 when the texts are wrong or the server refuses them
   */
  int load(PolicyDialect dialect, Map<String, String> texts, Console console)
      throws IOException, UsageException, InterruptedException {
    PolicyDialect.Reading reading = dialect.read(texts, false);
    reading
        .notes()
        .forEach(line -> System.err.println("millrace policy: note: " + folder + "/" + line));
    if (!reading.refusals().isEmpty()) {
      reading
          .refusals()
          .forEach(line -> System.err.println("millrace policy: " + folder + "/" + line));
      return 1;
    }
    PolicyDialect.Loading loading = dialect.load(texts);
    for (String line : lines(scheduler, loading.attributes())) {
      HomeClient.Said said = new HomeClient(home).call(folder.toAbsolutePath(), "qmgr", "-c", line);
      if (said.status() != 0) {
        said.lines().forEach(System.err::println);
        return said.status();
      }
    }
    loading.left().forEach(line -> System.err.println("millrace policy: " + folder + "/" + line));
    console.say("scheduler " + scheduler + ": " + reading.summary() + ", as far as it obeys them");
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
}
