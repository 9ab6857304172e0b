package io.millrace.ops.gridengine;

import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.ObjectTables;
import io.millrace.schedulers.gridengine.language.options.OptionTable;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.PlainText;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import io.millrace.schedulers.gridengine.language.options.SchedulerParams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A policy file that was accepted.
 *
 * @param summary kind of the text, printed by check
 * @param explain lines printed by explain
 */
record PolicyText(String summary, List<String> explain) {

  /**
   * Reads a text file.
   *
   * @throws ConfigurationRefused with the line at which it is not text
   */
  static String read(Path file) throws IOException {
    return PlainText.of(file.toString(), Files.readAllBytes(file));
  }

  /**
   * Parses one text: lines of a complex begin with attributes, lines of other objects with options.
   */
  static PolicyText parse(String file, String text) {
    if (Complexes.describes(text)) {
      return complex(Complexes.parse(file, text));
    }
    OptionTable table = ObjectTables.recognise(text).orElse(SchedulerOptions.TABLE);
    OptionValues settings = table.parse(file, text);
    List<String> lines = new ArrayList<>(table.explain(settings));
    if (settings.named().containsKey("params")) {
      lines.addAll(SchedulerParams.TABLE.explain(SchedulerParams.of(settings.get("params"))));
    }
    return new PolicyText(
        table.title() + ", " + settings.named().size() + " options set, all valid", lines);
  }

  private static PolicyText complex(Complexes complexes) {
    List<String> lines = new ArrayList<>();
    complexes.all().forEach(each -> lines.add(each.name() + ": " + each.sentence()));
    return new PolicyText(
        "the complex, " + complexes.all().size() + " attributes, all valid", lines);
  }

  /**
   * Parses all files of a folder together, as {@code policy load} does, and checks their references
   * to each other.
   *
   * @param files texts by the names of their files
   */
  static PolicyText together(Map<String, String> files) {
    Configuration read = Configuration.of(files);
    List<String> lines = new ArrayList<>();
    files.forEach(
        (name, text) -> {
          lines.add(name + ":");
          parse(name, text).explain().forEach(line -> lines.add("  " + line));
        });
    return new PolicyText(
        files.size()
            + " files, "
            + read.cluster().queues().size()
            + " queue instances, all valid together",
        lines);
  }
}
