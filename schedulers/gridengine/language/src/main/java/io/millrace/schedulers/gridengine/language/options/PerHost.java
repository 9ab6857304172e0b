package io.millrace.schedulers.gridengine.language.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A queue's value with its exceptions: {@code 2,[node01=4],[@big=8]}.
 *
 * @param general the value where no exception applies; empty in a text that is refused
 * @param exceptions by host or host group, in the order of the text
 * @param twice whether a host or group is named more than once; the last value counts
 */
public record PerHost(String general, Map<String, String> exceptions, boolean twice) {

  private static final Pattern EXCEPTION = Pattern.compile("\\[([^=\\[\\]]+)=([^\\[\\]]*)\\]");

  public static PerHost of(String text) {
    Map<String, String> exceptions = new LinkedHashMap<>();
    boolean twice = false;
    Matcher found = EXCEPTION.matcher(text);
    while (found.find()) {
      String where = found.group(1).strip();
      twice |= exceptions.put(where, found.group(2).strip()) != null;
    }
    return new PerHost(general(found.reset().replaceAll("")), exceptions, twice);
  }

  /** What stands before the commas that exceptions have left. */
  private static String general(String text) {
    int end = text.length();
    while (end > 0
        && (text.charAt(end - 1) == ',' || Character.isWhitespace(text.charAt(end - 1)))) {
      end--;
    }
    return text.substring(0, end).strip();
  }

  /** The form of such a value, given the form of each single one. */
  static Form form(Form single) {
    return new Form(
        single.expected()
            + ", then exceptions [HOST=...] or [@GROUP=...], each once, where it differs",
        text -> of(text).whole() && of(text).fits(single.accepts()),
        text ->
            of(text).values().stream()
                .filter(single.accepts().negate())
                .findFirst()
                .map(single.hint())
                .orElse(""));
  }

  /**
   * False when there is no general value, or when a second value for the same host makes the first
   * one void.
   */
  private boolean whole() {
    return !general.isEmpty() && !twice;
  }

  private boolean fits(Predicate<String> single) {
    return !general.contains("[")
        && !general.contains("]")
        && !values().isEmpty()
        && values().stream().allMatch(single);
  }

  /** All values, the general one and the exceptions. */
  public List<String> values() {
    List<String> values = new ArrayList<>(exceptions.values());
    if (!general.isEmpty()) {
      values.add(general);
    }
    return values;
  }
}
