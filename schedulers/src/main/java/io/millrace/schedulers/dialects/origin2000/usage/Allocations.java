package io.millrace.schedulers.dialects.origin2000.usage;

import io.millrace.schemas.pbs.origin.GroupAccounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each group may use and has used, from the files {@code allocations} ({@code P= title = group
 * = hours}) and {@code current} ({@code user group jobs hours}).
 */
public final class Allocations {

  private Map<String, Double> allowed = Map.of();

  /** What the file says, and what was counted elsewhere since. */
  private Map<String, Double> filed = Map.of();

  private Map<String, Double> elsewhere = Map.of();
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
      allowed = GroupAccounts.allowed(newAllocations.text(), skipped);
    }
    if (changed || !newCurrent.equals(current)) {
      current = newCurrent;
      filed = GroupAccounts.used(newCurrent.text(), allowed, skipped);
      count();
    }
    return skipped;
  }

  /** Forgets both files, so that they are read again. */
  public void forget() {
    allocations = InputFile.NONE;
    current = InputFile.NONE;
    allowed = Map.of();
    filed = Map.of();
    used.clear();
  }

  /**
   * What groups have used beyond what the file says is counted elsewhere; these are the sums now.
   */
  public void countedElsewhere(Map<String, Double> sums) {
    elsewhere = sums;
    count();
  }

  private void count() {
    used.clear();
    used.putAll(filed);
    elsewhere.forEach(this::add);
  }

  private void add(String group, double figure) {
    if (allowed.containsKey(group)) {
      used.merge(group, figure, Double::sum);
    }
  }

  /** Charges a started job to its group. */
  public void started(String group, long walltimeS) {
    add(group, PastUsage.charge(walltimeS));
  }

  /** Whether a group has nothing left, or is not listed. */
  public boolean over(String group) {
    Figures figures = figures(group);
    return overPercent(figures.used(), figures.allocation()) > 0;
  }

  public Figures figures(String group) {
    return new Figures(used.getOrDefault(group, 0.0), allowed.getOrDefault(group, 0.0));
  }

  /** How much of an allocation is used; see {@link GroupAccounts#overPercent}. */
  public static long overPercent(double used, double allocation) {
    return GroupAccounts.overPercent(used, allocation);
  }
}
