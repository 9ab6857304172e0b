package io.millrace.schemas.pbs.schedconfig.options;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Whether a text is a sched_config, and the values of one as text. */
public final class SchedConfigText {

  /** Looked for, not matched: what stands before it would be tried from each of its places. */
  private static final Pattern QUOTED = Pattern.compile("^[\"']|[\\s,:]");

  private SchedConfigText() {}

  /**
   * True when a line of the text has a name of the table with a colon behind it, as no other
   * dialect writes it.
   */
  public static boolean describes(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> line.indexOf(':') > 0)
        .map(line -> line.substring(0, line.indexOf(':')).strip())
        .anyMatch(name -> SchedConfigOptions.find(name).isPresent());
  }

  /** The options that a text has set, in the order of the table, as lines of a sched_config. */
  public static String print(SchedConfig config) {
    StringBuilder text = new StringBuilder();
    for (SchedConfigOption option : SchedConfigOptions.all()) {
      for (SchedConfigLine line : lines(config, option)) {
        text.append(option.name()).append(": ").append(quoted(option, line.value));
        if (option.starred()) {
          text.append('\t').append(line.when);
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  private static String quoted(SchedConfigOption option, String value) {
    String shown =
        option.form() == ValueForm.TIME && value.matches("\\d+")
            ? DurationText.of(Long.parseLong(value))
            : value;
    boolean plain =
        option.form() == ValueForm.TIME || !shown.isEmpty() && !QUOTED.matcher(shown).find();
    char quote = shown.indexOf('"') >= 0 ? '\'' : '"';
    return plain ? shown : quote + shown + quote;
  }

  private record SchedConfigLine(String value, String when) {}

  private static List<SchedConfigLine> lines(SchedConfig config, SchedConfigOption option) {
    List<String> prime = config.given(option.name(), SitePeriod.PRIME);
    List<String> other = config.given(option.name(), SitePeriod.NON_PRIME);
    List<SchedConfigLine> lines = new ArrayList<>();
    if (prime.equals(other)) {
      prime.forEach(value -> lines.add(new SchedConfigLine(value, "all")));
    } else {
      prime.forEach(value -> lines.add(new SchedConfigLine(value, SitePeriod.PRIME.word())));
      other.forEach(value -> lines.add(new SchedConfigLine(value, SitePeriod.NON_PRIME.word())));
    }
    return lines;
  }

  /** For each option that the text names: value, meaning, and what another value changes. */
  public static List<String> explain(SchedConfig config) {
    List<String> lines = new ArrayList<>();
    for (SchedConfigOption option : SchedConfigOptions.all()) {
      List<SchedConfigLine> given = lines(config, option);
      for (SchedConfigLine line : given) {
        String usual = option.isUsual(line.value) ? " (as usual)" : "";
        String when = line.when.equals("all") ? "" : " in " + line.when + " time";
        lines.add(
            option.name()
                + " = "
                + quoted(option, line.value)
                + when
                + usual
                + ": "
                + option.meaning());
      }
      if (!given.isEmpty()) {
        lines.add("    " + option.changes());
      }
    }
    return lines;
  }
}
