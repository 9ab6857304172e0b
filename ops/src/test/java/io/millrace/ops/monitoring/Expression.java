package io.millrace.ops.monitoring;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an expression of PromQL names.
 *
 * @param metrics names of series
 * @param labels names in matchers, {@code by} and {@code without}
 */
public record Expression(Set<String> metrics, Set<String> labels) {

  /** Words of the language that are no functions. */
  private static final Set<String> WORDS =
      Set.of(
          "and", "or", "unless", "bool", "offset", "ignoring", "on", "group_left", "group_right");

  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");
  private static final Pattern MATCHERS = Pattern.compile("\\{([^}]*)}");
  private static final Pattern MATCHER =
      Pattern.compile("\\s*(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"[^\"]*\"");
  private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");
  private static final Pattern NUMBER = Pattern.compile("\\b[0-9][0-9.eE]*[smhd]?\\b");
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*(\\s*\\()?");

  /** Reads one. */
  public static Expression of(String text) {
    Set<String> labels = new LinkedHashSet<>();
    Matcher groupings = GROUPING.matcher(text);
    while (groupings.find()) {
      Arrays.stream(groupings.group(1).split(",")).map(String::strip).forEach(labels::add);
    }
    String rest = groupings.replaceAll(" ");
    Matcher matchers = MATCHERS.matcher(rest);
    while (matchers.find()) {
      for (String matcher : matchers.group(1).split(",")) {
        Matcher one = MATCHER.matcher(matcher);
        if (!one.matches()) {
          throw new IllegalArgumentException("no matcher: " + matcher + " in " + text);
        }
        labels.add(one.group(1));
      }
    }
    rest = RANGE.matcher(matchers.replaceAll(" ")).replaceAll(" ");
    rest = NUMBER.matcher(rest).replaceAll(" ");
    Set<String> metrics = new LinkedHashSet<>();
    Matcher names = NAME.matcher(rest);
    while (names.find()) {
      if (names.group(1) == null && !WORDS.contains(names.group())) {
        metrics.add(names.group());
      }
    }
    labels.remove("");
    return new Expression(metrics, labels);
  }
}
