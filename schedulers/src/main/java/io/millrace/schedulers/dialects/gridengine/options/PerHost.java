package io.millrace.schedulers.dialects.gridengine.options;

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
 * @param general the value where no exception applies
 * @param exceptions by host or host group, in the order of the text
 */
public record PerHost(String general, Map<String, String> exceptions) {

  private static final Pattern EXCEPTION = Pattern.compile("\\[([^=\\[\\]]+)=([^\\[\\]]*)\\]");

  /** What stands for a host or group that is named a second time. */
  private static final String TWICE = "[]";

  public static PerHost of(String text) {
    Map<String, String> exceptions = new LinkedHashMap<>();
    Matcher found = EXCEPTION.matcher(text);
    while (found.find()) {
      String where = found.group(1).strip();
      // A second value would make the first one void: the text is none of this form then.
      exceptions.put(exceptions.containsKey(where) ? TWICE : where, found.group(2).strip());
    }
    String general = found.reset().replaceAll("").replaceAll("(\\s*,\\s*)+$", "").strip();
    return new PerHost(general, exceptions);
  }

  /** The form of such a value, given the form of each single one. */
  static Form form(Form single) {
    return new Form(
            single.expected()
                + ", then exceptions [HOST=...] or [@GROUP=...], each once, where it differs",
            text -> of(text).fits(single.accepts()),
            text ->
                of(text).values().stream()
                    .filter(single.accepts().negate())
                    .findFirst()
                    .map(single.hint())
                    .orElse(""))
        .once(text -> of(text).fits(single.formerly()));
  }

  private boolean fits(Predicate<String> single) {
    return !general.contains("[")
        && !general.contains("]")
        && !general.isEmpty()
        && !exceptions.containsKey(TWICE)
        && values().stream().allMatch(single);
  }

  /** All values, wherever they hold. */
  public List<String> values() {
    List<String> values = new ArrayList<>(exceptions.values());
    if (!general.isEmpty()) {
      values.add(general);
    }
    return values;
  }
}
