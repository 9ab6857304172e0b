package io.millrace.schedulers.dialects.schedconfig.proof;

import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A test of one option: lines that set it, what is seen with them, and what must be seen. It must
 * fail when the option has its usual value instead.
 *
 * @param shows what is seen, in words, for the documentation
 * @param lines of the sched_config; those of other options stand as they are
 */
record SchedConfigProof(
    String option,
    String shows,
    String lines,
    Function<SchedConfigScene, String> see,
    String expected) {

  String seen() {
    return seen(lines);
  }

  /** What is seen where no line names the option. */
  String seenIgnored() {
    return seen(
        lines
            .lines()
            .filter(line -> !line.startsWith(option + ":"))
            .map(line -> line + "\n")
            .collect(Collectors.joining()));
  }

  /** What is seen where the option's lines hold for one kind of time only. */
  String seenIn(String period) {
    return seen(
        lines
            .lines()
            .map(line -> line.startsWith(option + ":") ? line + " " + period : line)
            .map(line -> line + "\n")
            .collect(Collectors.joining()));
  }

  private String seen(String text) {
    return see.apply(new SchedConfigScene(text, option));
  }

  boolean starred() {
    return SchedConfigOptions.find(option).orElseThrow().starred();
  }
}
