package io.millrace.schemas.pbs.schedconfig.options;

import io.millrace.schemas.pbs.attributes.SortFormula;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the value of an option is right, and what OpenPBS takes in its place. */
final class ValueReader {

  private static final Set<String> ENTITIES =
      Set.of("euser", "egroup", "Account_Name", "queue", "egroup:euser");

  private static final String NUMBER_OR_NONE = "takes the number that it begins with, or -1";

  private static final String DROPS = "passes over the line";

  private static final Pattern DIGITS = Pattern.compile("\\d{1,9}");

  private ValueReader() {}

  /**
   * @param taken the value in normal form that OpenPBS takes; null when it takes none
   * @param problem what OpenPBS does with a value that is wrong; null for one that is right
   * @param expected what would be right, where that is more than the form says; else null
   */
  record JudgedValue(String taken, String problem, String expected) {

    static JudgedValue right(String taken) {
      return new JudgedValue(taken, null, null);
    }

    static JudgedValue wrong(String taken, String problem) {
      return new JudgedValue(taken, problem, null);
    }
  }

  static JudgedValue judge(SchedConfigOption option, String value) {
    return switch (option.form()) {
      case TRUTH -> truth(value);
      case COUNT -> count(value, NUMBER_OR_NONE);
      case JOBS -> jobs(option, value);
      case TIME -> time(value);
      case FACTOR -> factor(value);
      case ENTITY -> entity(value);
      case JOB_KEY -> jobKey(value);
      case NODE_KEY -> nodeKey(value);
      case PROGRAM -> program(value);
      case DISTRIBUTION ->
          value.equals("pack") || value.equals("round_robin")
              ? JudgedValue.right(value)
              : JudgedValue.wrong(null, DROPS + " without a word");
      case USAGE -> usage(value);
      case NAMES, NAME, PROVISION, RESERVATION -> JudgedValue.right(value);
    };
  }

  private static JudgedValue truth(String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    if (lower.equals("true") || lower.equals("false")) {
      return JudgedValue.right(lower);
    }
    if (value.matches("\\d{1,9}")) {
      return JudgedValue.right(Long.parseLong(value) == 0 ? "false" : "true");
    }
    boolean digit = !value.isEmpty() && Character.isDigit(value.charAt(0));
    boolean zero = digit && value.matches("0*(\\D.*)?");
    return JudgedValue.wrong(zero ? "false" : "true", "takes it for " + (zero ? "false" : "true"));
  }

  private static JudgedValue count(String value, String otherwise) {
    return value.matches("\\d{1,9}")
        ? JudgedValue.right(Long.toString(Long.parseLong(value)))
        : JudgedValue.wrong(leadingNumber(value), otherwise);
  }

  /** The number at the beginning of a text, as OpenPBS takes it: -1 where there is none. */
  private static String leadingNumber(String value) {
    Matcher digits = DIGITS.matcher(value);
    return digits.lookingAt() ? Long.toString(Long.parseLong(digits.group())) : "-1";
  }

  private static JudgedValue jobs(SchedConfigOption option, String value) {
    if (value.equals(SchedConfigOptions.ALL_JOBS)) {
      return JudgedValue.right(value);
    }
    String otherwise =
        option.name().equals(SchedConfigOptions.MAX_JOB_CHECK)
            ? "takes the number that it begins with, or looks at the first job only"
            : NUMBER_OR_NONE;
    return count(value, otherwise);
  }

  private static JudgedValue time(String value) {
    OptionalLong seconds = DurationText.seconds(value);
    if (DurationText.proper(value)) {
      return JudgedValue.right(Long.toString(seconds.getAsLong()));
    }
    return seconds.isPresent()
        ? JudgedValue.wrong(
            Long.toString(seconds.getAsLong()),
            "logs 'Invalid time " + value + "' and takes it as seconds")
        : JudgedValue.wrong(
            "endless", "logs 'Invalid time " + value + "' and takes a time without end");
  }

  private static JudgedValue factor(String value) {
    try {
      double factor = Double.parseDouble(value);
      return factor > 0 && factor < 1
          ? JudgedValue.right(value)
          : JudgedValue.wrong(null, "logs that valid values are between 0 and 1 and " + DROPS);
    } catch (NumberFormatException e) {
      // A word instead of a number is passed over like a number that is out of range.
      return JudgedValue.wrong(null, "logs 'Invalid fairshare_decay_factor' and " + DROPS);
    }
  }

  private static JudgedValue entity(String value) {
    return ENTITIES.contains(value)
        ? JudgedValue.right(value)
        : JudgedValue.wrong(
            value,
            "logs that it is erroneous and takes the attribute of the job that has this name");
  }

  private static JudgedValue jobKey(String value) {
    String[] words = value.strip().split("\\s+");
    if (words[0].isEmpty()) {
      return JudgedValue.wrong(null, DROPS + " without a word");
    }
    if (words.length < 2 || !ordered(words[1])) {
      return JudgedValue.wrong(null, "logs 'Invalid job_sort_key' and " + DROPS);
    }
    String name = words[0].equals("sort_priority") ? "job_priority" : words[0];
    String taken = name + " " + words[1].toUpperCase(Locale.ROOT);
    return words.length == 2
        ? JudgedValue.right(taken)
        : JudgedValue.wrong(taken, "passes over the rest");
  }

  private static boolean ordered(String word) {
    return Set.of("high", "HIGH", "High", "low", "LOW", "Low").contains(word);
  }

  private static JudgedValue nodeKey(String value) {
    String[] words = value.strip().split("\\s+");
    if (words[0].isEmpty()) {
      return JudgedValue.wrong(null, DROPS + " without a word");
    }
    boolean part = words.length < 3 || Set.of("total", "assigned", "unused").contains(words[2]);
    if (words.length < 2 || !ordered(words[1]) || !part) {
      return JudgedValue.wrong(null, "logs 'Invalid node_sort_key' and " + DROPS);
    }
    String taken = words[0] + " " + words[1].toUpperCase(Locale.ROOT);
    taken = words.length < 3 || words[2].equals("total") ? taken : taken + " " + words[2];
    return words.length <= 3
        ? JudgedValue.right(taken)
        : JudgedValue.wrong(taken, "passes over the rest");
  }

  private static JudgedValue program(String value) {
    String[] parts = value.strip().split("\\s+", 2);
    boolean whole = parts.length == 2 && parts[1].startsWith("!") && parts[1].length() > 1;
    return whole
        ? JudgedValue.right(parts[0] + " " + parts[1])
        : JudgedValue.wrong(null, "logs 'Invalid server_dyn_res' and " + DROPS);
  }

  private static JudgedValue usage(String value) {
    try {
      SortFormula.of(value);
      return JudgedValue.right(value);
    } catch (SortFormula.BadFormula e) {
      return new JudgedValue(
          value, "counts no usage", "a resource or a formula of resources: " + e.getMessage());
    }
  }
}
