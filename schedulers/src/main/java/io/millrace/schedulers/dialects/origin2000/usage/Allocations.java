package io.millrace.schedulers.dialects.origin2000.usage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each group may use and has used, from the files {@code allocations} ({@code P= title = group
 * = hours}) and {@code current} ({@code user group jobs hours}).
 */
public final class Allocations {

  private static final String NUMBER = "[+-]?(\\d{1,15}(\\.\\d{0,15})?|\\.\\d{1,15})";
  private static final double PERCENT = 100;

  private final Map<String, Double> allowed = new HashMap<>();
  private final Map<String, Double> used = new HashMap<>();
  private InputFile allocations = InputFile.NONE;
  private InputFile current = InputFile.NONE;

  /** A group's figures; zeros when it is not listed. */
  public record Figures(double used, double allocation) {}

  /**
   * Reads a file again when it is another one than before.
   *
   * @return what was skipped, with file and line
   */
  public List<String> read(InputFile newAllocations, InputFile newCurrent) {
    List<String> skipped = new ArrayList<>();
    boolean changed = !newAllocations.equals(allocations);
    if (changed) {
      allocations = newAllocations;
      allowed.clear();
      lines(newAllocations, "allocations", this::allow, skipped);
    }
    if (changed || !newCurrent.equals(current)) {
      current = newCurrent;
      used.clear();
      lines(newCurrent, "current", this::use, skipped);
    }
    return skipped;
  }

  /** Forgets both files, so that they are read again. */
  public void forget() {
    allocations = InputFile.NONE;
    current = InputFile.NONE;
    allowed.clear();
    used.clear();
  }

  private interface LineReader {
    boolean take(String line);
  }

  private static void lines(InputFile file, String name, LineReader reader, List<String> skipped) {
    String[] lines = file.text().split("\r?\n");
    for (int i = 0; i < lines.length; i++) {
      if (!lines[i].isBlank() && !reader.take(lines[i])) {
        skipped.add(name + ":" + (i + 1) + ": the line is skipped");
      }
    }
  }

  private boolean allow(String line) {
    String[] fields = line.split("=");
    if (fields.length < 4 || !fields[0].equals("P") || !fields[3].strip().matches(NUMBER)) {
      return false;
    }
    String group = fields[2].strip();
    boolean number = !group.isEmpty() && Character.isDigit(group.charAt(0));
    allowed.putIfAbsent(number ? "g" + group : group, Double.parseDouble(fields[3].strip()));
    return true;
  }

  private boolean use(String line) {
    String[] words = line.strip().split("\\s+");
    boolean whole = words.length >= 4 && words[2].matches("[+-]?\\d+") && words[3].matches(NUMBER);
    if (!whole || !allowed.containsKey(words[1])) {
      return false;
    }
    used.merge(words[1], Double.parseDouble(words[3]), Double::sum);
    return true;
  }

  /** Charges a started job to its group. */
  public void started(String group, long walltimeS) {
    if (allowed.containsKey(group)) {
      used.merge(group, PastUsage.charge(walltimeS), Double::sum);
    }
  }

  /** Whether a group has nothing left, or is not listed. */
  public boolean over(String group) {
    Figures figures = figures(group);
    return overPercent(figures.used(), figures.allocation()) > 0;
  }

  public Figures figures(String group) {
    return new Figures(used.getOrDefault(group, 0.0), allowed.getOrDefault(group, 0.0));
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
}
