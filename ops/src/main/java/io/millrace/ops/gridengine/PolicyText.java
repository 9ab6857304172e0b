package io.millrace.ops.gridengine;

import io.millrace.schedulers.dialects.gridengine.cluster.Complexes;
import io.millrace.schedulers.dialects.gridengine.options.Line;
import io.millrace.schedulers.dialects.gridengine.options.ObjectTables;
import io.millrace.schedulers.dialects.gridengine.options.OptionTable;
import io.millrace.schedulers.dialects.gridengine.options.SchedulerOptions;
import io.millrace.schedulers.dialects.gridengine.options.SchedulerParams;
import io.millrace.schedulers.dialects.gridengine.options.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * A policy file that was accepted.
 *
 * @param summary what it is, for check
 * @param explain what it says, for explain
 */
record PolicyText(String summary, List<String> explain) {

  /** Width of a line of the complex: any other object has fewer words a line. */
  private static final int COMPLEX_COLUMNS = Complexes.COLUMNS.size();

  /** The complex has eight words in each line; other objects begin with a line that names them. */
  static PolicyText parse(String file, String text) {
    boolean complex =
        Line.of(text).stream()
            .findFirst()
            .map(line -> line.text().split("\\s+").length == COMPLEX_COLUMNS)
            .orElse(false);
    if (complex) {
      return complex(Complexes.parse(file, text));
    }
    OptionTable table = ObjectTables.recognise(text).orElse(SchedulerOptions.TABLE);
    Settings settings = table.parse(file, text);
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
}
