package io.millrace.schemas.pbs.origin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What each group may use and has used, from the files {@code allocations} ({@code P= title = group
 * = hours}) and {@code current} ({@code user group jobs hours}).
 */
public final class GroupAccounts {
  public static final String ALLOCATIONS = "allocations";
  public static final String CURRENT = "current";

  private static final String NUMBER = "[+-]?(\\d{1,15}(\\.\\d{0,15})?|\\.\\d{1,15})";
  private static final double PERCENT = 100;
  private static final double THOUSANDTHS = 1000;

  private interface LineReader {
    boolean take(String line);
  }

  private final Map<String, Double> allowed;
  private final Map<String, Double> used;

  private GroupAccounts(Map<String, Double> allowed, Map<String, Double> used) {
    this.allowed = allowed;
    this.used = used;
  }

  /**
   * Reads both files.
   *
   * @param starts what starts cost beyond them, in thousandths, by groups
   */
  public static GroupAccounts of(String allocations, String current, Map<String, Long> starts) {
    Map<String, Double> allowed = allowed(allocations, new ArrayList<>());
    Map<String, Double> used = used(current, allowed, new ArrayList<>());
    starts.forEach((group, sum) -> used.merge(group, sum / THOUSANDTHS, Double::sum));
    return new GroupAccounts(allowed, used);
  }

  /** Whether a group has nothing left, or is not listed. */
  public boolean over(String group) {
    return overPercent(used.getOrDefault(group, 0.0), allowed.getOrDefault(group, 0.0)) > 0;
  }

  /**
   * What groups may use.
   *
   * @param skipped takes each line that says nothing, with file and line
   */
  public static Map<String, Double> allowed(String text, List<String> skipped) {
    Map<String, Double> allowed = new HashMap<>();
    lines(text, ALLOCATIONS, line -> allow(line, allowed), skipped);
    return allowed;
  }

  /** What groups of those have used, in the same way. */
  public static Map<String, Double> used(
      String text, Map<String, Double> allowed, List<String> skipped) {
    Map<String, Double> used = new HashMap<>();
    lines(text, CURRENT, line -> use(line, allowed, used), skipped);
    return used;
  }

  private static void lines(String text, String name, LineReader reader, List<String> skipped) {
    String[] lines = text.split("\r?\n");
    for (int i = 0; i < lines.length; i++) {
      if (!lines[i].isBlank() && !reader.take(lines[i])) {
        skipped.add(name + ":" + (i + 1) + ": the line is skipped");
      }
    }
  }

  private static boolean allow(String line, Map<String, Double> allowed) {
    String[] fields = line.split("=");
    if (fields.length < 4 || !fields[0].equals("P") || !fields[3].strip().matches(NUMBER)) {
      return false;
    }
    String group = fields[2].strip();
    boolean number = !group.isEmpty() && Character.isDigit(group.charAt(0));
    allowed.putIfAbsent(number ? "g" + group : group, Double.parseDouble(fields[3].strip()));
    return true;
  }

  private static boolean use(String line, Map<String, Double> allowed, Map<String, Double> used) {
    String[] words = line.strip().split("\\s+");
    boolean whole = words.length >= 4 && words[2].matches("[+-]?\\d+") && words[3].matches(NUMBER);
    if (!whole || !allowed.containsKey(words[1])) {
      return false;
    }
    used.merge(words[1], Double.parseDouble(words[3]), Double::sum);
    return true;
  }

  /**
   * How much of an allocation is used, in whole percent of 100 and more; 0 while some is left. A
   * negative allocation has no limit, one of 0 is used up.
   */
  public static long overPercent(double used, double allocation) {
    if (allocation < 0 || used < allocation) {
      return 0;
    }
    return allocation == 0
        ? (long) PERCENT
        : Math.max((long) PERCENT, Math.round(used / allocation * PERCENT));
  }

  /** Why a new text of allocations is not taken: by one without any, each group had nothing. */
  public static Optional<String> refuse(String allocations) {
    List<String> skipped = new ArrayList<>();
    if (!allowed(allocations, skipped).isEmpty()) {
      return Optional.empty();
    }
    String where = skipped.isEmpty() ? "" : skipped.get(0).replaceFirst(": the.*", "") + ": ";
    return Optional.of(where + "no line tells an allocation, as P= title = group = hours does");
  }
}
