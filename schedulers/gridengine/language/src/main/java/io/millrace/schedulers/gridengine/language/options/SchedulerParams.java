package io.millrace.schedulers.gridengine.language.options;

import io.millrace.schedulers.gridengine.language.options.Option.Effect;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The settings inside {@code params} of sched_conf: a list NAME=VALUE,... */
public final class SchedulerParams {

  private static final List<Option> ROWS =
      List.of(
          new Option(
              "MONITOR",
              Form.TRUTH,
              "FALSE",
              Effect.DECIDES,
              "Whether each run adds a section to the file schedule.",
              "The record of what ran, started and was reserved in each run."),
          new Option(
              "DURATION_OFFSET",
              Form.TIME,
              "60",
              Effect.DECIDES,
              "Seconds between a job's runtime and the time until its resources are free again.",
              "Added to each duration in plans: reservations move, fewer jobs fit before them."),
          new Option(
              "PROFILE",
              Form.TRUTH,
              "FALSE",
              Effect.DECIDES,
              "Whether each run reports how much work it did.",
              "A line of counts for each run."),
          new Option(
              "RUNTIME",
              Form.oneOf("MAX", "H_RT", "MIN"),
              "MAX",
              Effect.DECIDES,
              "Which limit is the assumed runtime when a job requests h_rt and s_rt: the longer"
                  + " one, h_rt, or the shorter one as Grid Engine 8.1.9 does. A setting of"
                  + " Millrace.",
              "How long jobs with both limits are assumed to run."),
          new Option(
              "JC_FILTER",
              Form.TRUTH,
              "FALSE",
              Effect.KEPT,
              "Whether a run looks at few jobs of each category only.",
              "Nothing: a run is bounded by categories that were refused already."),
          new Option(
              "PE_RANGE_ALG",
              Form.oneOf("auto", "least", "bin", "highest"),
              "auto",
              Effect.KEPT,
              "In which order the slot numbers of a range are tried.",
              "Nothing: the largest number that fits is taken whichever way it is sought."));

  public static final OptionTable TABLE = new OptionTable("params", ROWS, Set.of());

  static final String NAMES =
      TABLE.options().stream().map(Option::name).collect(Collectors.joining(", "));

  /** The form of the value of {@code params}. */
  static final Form FORM =
      new Form(
          "none or a list NAME=VALUE,... of " + NAMES,
          params -> problem(params).isEmpty(),
          SchedulerParams::problem);

  private SchedulerParams() {}

  /** The settings in a value of {@code params} that has already been checked. */
  public static OptionValues of(String params) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String[] pair : pairs(params)) {
      values.put(pair[0], pair[1]);
    }
    return new OptionValues(TABLE, values, OptionValues.Origin.NONE);
  }

  private static List<String[]> pairs(String params) {
    List<String[]> pairs = new ArrayList<>();
    for (String part : Form.none(params) ? new String[0] : params.split("[,;\\s]+")) {
      String[] pair = part.split("=", 2);
      String name = pair[0].toUpperCase(Locale.ROOT);
      pairs.add(new String[] {name, pair.length > 1 ? pair[1] : ""});
    }
    return pairs;
  }

  /** What is wrong with a value; empty when it is valid. */
  private static String problem(String params) {
    Set<String> names = new HashSet<>();
    for (String[] pair : pairs(params)) {
      String problem = problem(pair);
      if (problem.isEmpty() && !names.add(pair[0])) {
        problem = " is there twice";
      }
      if (!problem.isEmpty()) {
        return ": " + pair[0] + problem;
      }
    }
    return "";
  }

  private static String problem(String[] pair) {
    Optional<Option> option =
        TABLE.options().stream().filter(row -> row.name().equals(pair[0])).findFirst();
    if (option.isEmpty()) {
      List<String> known = TABLE.options().stream().map(Option::name).toList();
      return " is unknown" + Nearest.hint(pair[0], known);
    }
    Form form = option.get().form();
    return form.accepts().test(pair[1])
        ? ""
        : " is '" + pair[1] + "', but must be " + form.expected() + form.hint().apply(pair[1]);
  }
}
