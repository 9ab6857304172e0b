package io.millrace.ops.gridengine;

import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Loads the files of a PBS scheduler into a scheduler object, all of them in one change. */
record DialectLoad(Home home, String scheduler, Path folder, String zone) {

  /**
   * Checks the texts and hands them over; says what the object does not obey.
   *
   * @return exit code: 1 when the texts are wrong or the server refuses them
   */
  int load(PolicyDialect dialect, Map<String, String> texts, Console console)
      throws IOException, UsageException, InterruptedException {
    PolicyDialect.Reading reading = dialect.read(texts, false);
    tell("note: ", reading.notes());
    tell("", reading.refusals());
    if (!reading.refusals().isEmpty()) {
      return 1;
    }
    List<String> words = new ArrayList<>(List.of("sched-config-load", scheduler, zone));
    texts.keySet().forEach(name -> words.add(folder.resolve(name).toAbsolutePath().toString()));
    int status = PolicyWord.gateway(home, folder, words, console);
    if (status == 0) {
      tell("", dialect.gaps(texts));
    }
    return status;
  }

  private void tell(String what, List<String> lines) {
    lines.forEach(line -> System.err.println("millrace policy: " + what + folder + "/" + line));
  }
}
