package io.millrace.schemas.pbs.schedconfig.options;

import io.millrace.schemas.pbs.attributes.Nearest;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption.OptionStanding;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads a sched_config line by line: the values that OpenPBS takes, and what is wrong. */
public final class SchedConfigReader {

  private static final String PASSES = "logs '%s' and passes over the line";

  private final String file;
  private final SchedConfig config = new SchedConfig();
  private final List<PolicyFinding> findings = new ArrayList<>();
  private int line;

  private SchedConfigReader(String file) {
    this.file = file;
  }

  /**
   * What a text says.
   *
   * @param findings wrong lines, and notes about others, in the order of the lines
   */
  public record SchedConfigRead(SchedConfig config, List<PolicyFinding> findings) {}

  /**
   * Reads a text; never throws.
   *
   * @param file name of the text, for the findings
   */
  public static SchedConfigRead read(String file, String text) {
    SchedConfigReader reader = new SchedConfigReader(file);
    StringBuilder joined = new StringBuilder();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      reader.line = joined.isEmpty() ? number : reader.line;
      if (line.endsWith("\\")) {
        // It goes on in the next line.
        joined.append(line, 0, line.length() - 1).append(' ');
      } else {
        reader.takeLine(joined.append(line).toString());
        joined.setLength(0);
      }
    }
    reader.takeLine(joined.toString());
    reader.together();
    return new SchedConfigRead(reader.config, List.copyOf(reader.findings));
  }

  private void takeLine(String text) {
    if (!LineWords.isComment(text)) {
      take(LineWords.of(text));
    }
  }

  private void take(List<String> words) {
    if (words.size() < 2) {
      String name = words.isEmpty() ? "" : words.get(0);
      wrong(
          "'" + name + "' has no value: a line is NAME: VALUE [prime|non_prime|all|none]",
          passes("Config line invalid"));
      return;
    }
    String name = words.get(0);
    Optional<SchedConfigOption> option = SchedConfigOptions.find(name);
    if (option.isEmpty()) {
      unknown(name);
      return;
    }
    Set<SitePeriod> periods = periods(option.get(), words);
    switch (option.get().standing()) {
      case GONE -> outOfDate(name);
      case ABSENT -> absent(option.get(), words.get(1));
      default -> {
        if (option.get().standing() == OptionStanding.OLD) {
          outOfDate(name);
        }
        value(option.get(), words.get(1), periods);
      }
    }
  }

  private void unknown(String name) {
    String reason =
        SchedConfigOptions.FORGOTTEN.contains(name)
            ? "'" + name + "' is out of use"
            : "there is no option '" + name + "'" + Nearest.hint(name, SchedConfigOptions.names());
    wrong(reason, passes("Unknown config parameter"));
  }

  /** The periods that the line is for. A word that is none counts as all, as in OpenPBS. */
  private Set<SitePeriod> periods(SchedConfigOption option, List<String> words) {
    Set<SitePeriod> all = EnumSet.allOf(SitePeriod.class);
    if (words.size() < 3) {
      return all;
    }
    if (words.size() > 3) {
      wrong(
          "'" + words.get(3) + "' stands behind the period; a list of several words is quoted",
          "passes over what stands there");
    }
    String word = words.get(2);
    Optional<Set<SitePeriod>> named = SitePeriod.named(word);
    if (named.isEmpty()) {
      wrong(
          "'" + word + "' is no period: it must be prime, non_prime, all or none",
          "logs 'Invalid prime keyword: " + word + "' and takes the value for all times");
      return all;
    }
    if (!option.starred() && !named.get().equals(all)) {
      wrong(
          option.name() + " cannot differ between periods, but stands with '" + word + "'",
          "takes the value for all times");
      return all;
    }
    return option.starred() ? named.get() : all;
  }

  private void outOfDate(String name) {
    String advice = SchedConfigOptions.ADVICE.get(name);
    findings.add(
        new PolicyFinding(
            file,
            line,
            "Obsolete config name " + name + (advice == null ? "" : ", instead use " + advice),
            "",
            false));
  }

  private void absent(SchedConfigOption option, String value) {
    boolean usual =
        option.form() == ValueForm.PROVISION && value.equals("aggressive_provision")
            || option.form() == ValueForm.RESERVATION && value.equals("none");
    if (!usual) {
      wrong(
          option.name() + " is '" + value + "', which Millrace does not know: " + option.changes(),
          "has it: " + option.meaning());
    }
  }

  private void value(SchedConfigOption option, String value, Set<SitePeriod> periods) {
    ValueReader.JudgedValue judged = ValueReader.judge(option, value);
    if (judged.problem() != null) {
      wrong(
          option.name()
              + " is '"
              + value
              + "', but must be "
              + (judged.expected() == null ? option.form().expected() : judged.expected()),
          judged.problem());
    }
    if (judged.taken() != null) {
      periods.forEach(period -> config.set(period, option, judged.taken(), line));
    }
  }

  /** What options say together. */
  private void together() {
    line = 0;
    if (!config.names(SchedConfigOptions.DEDICATED_PREFIX)) {
      note(
          "without " + SchedConfigOptions.DEDICATED_PREFIX + " no queue is for dedicated time",
          "takes every queue for one then and starts nothing outside dedicated time");
    }
    boolean round = false;
    boolean changing = false;
    for (SitePeriod period : SitePeriod.values()) {
      round |= config.text(SchedConfigOptions.DISTRIBUTION, period).equals("round_robin");
      changing |=
          config.nodeKeys(period).stream()
              .anyMatch(key -> !key.part().equals(SchedConfig.NodeKey.TOTAL));
    }
    if (round && changing) {
      wrong(
          SchedConfigOptions.DISTRIBUTION
              + " is round_robin, which does not go with a node_sort_key by unused or assigned",
          "logs so and packs");
      SchedConfigOption option =
          SchedConfigOptions.find(SchedConfigOptions.DISTRIBUTION).orElseThrow();
      for (SitePeriod period : SitePeriod.values()) {
        config.set(period, option, "pack", line);
      }
    }
  }

  private static String passes(String message) {
    return String.format(PASSES, message);
  }

  private void wrong(String reason, String inPbs) {
    findings.add(new PolicyFinding(file, line, reason, inPbs, true));
  }

  private void note(String reason, String inPbs) {
    findings.add(new PolicyFinding(file, line, reason, inPbs, false));
  }
}
