package io.millrace.schedulers.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order in which nodes with room are taken: by the first key, among equals by the next, and
 * then by name.
 *
 * <p>{@code ncpus LOW unused} packs jobs on the fullest nodes, {@code ncpus HIGH unused} spreads
 * them over the emptiest.
 */
public record NodeOrder(List<Key> keys) {

  /** Of a resource of a node, what counts. */
  public enum Part {
    /** What the node has when nothing runs. */
    TOTAL,
    /** What runs and proposals hold. */
    ASSIGNED,
    /** What is free. */
    UNUSED
  }

  /**
   * One key.
   *
   * @param resource name; {@link #PRIORITY} for the node's attribute Priority
   * @param high true when the node with the most comes first
   */
  public record Key(String resource, boolean high, Part part) {}

  /** Word for the priority of nodes. */
  public static final String PRIORITY = "sort_priority";

  /** In the order of their names: jobs are packed on the first nodes. */
  public static final NodeOrder BY_NAME = new NodeOrder(List.of());

  private static final Pattern KEY =
      Pattern.compile("\\s*(\\S+)\\s+(HIGH|LOW)(?:\\s+(total|assigned|unused))?\\s*");

  /** Order of a text such as {@code sort_priority HIGH, ncpus LOW unused}; empty for others. */
  public static Optional<NodeOrder> parse(String text) {
    List<Key> keys = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      Matcher matcher = KEY.matcher(word);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      String part = matcher.group(3) == null ? "total" : matcher.group(3);
      keys.add(
          new Key(
              matcher.group(1),
              matcher.group(2).equals("HIGH"),
              Part.valueOf(part.toUpperCase(Locale.ROOT))));
    }
    return Optional.of(new NodeOrder(List.copyOf(keys)));
  }

  /** True when the order is another one after each start and each end of a run. */
  public boolean changesWithRuns() {
    return keys.stream().anyMatch(it -> it.part() != Part.TOTAL && !it.resource().equals(PRIORITY));
  }
}
