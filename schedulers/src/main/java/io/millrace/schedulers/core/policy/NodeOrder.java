package io.millrace.schedulers.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order in which nodes with room are taken: by the first key, among equals by the next, and
 * then by name or by age.
 *
 * <p>{@code ncpus LOW unused} packs jobs on the fullest nodes, {@code ncpus HIGH unused} spreads
 * them over the emptiest.
 *
 * @param byCreation true when of equal nodes the older comes first, false for the order of names
 * @param inTurn true when each job goes to the host behind the one that was used last, in the order
 *     of the hosts' names
 */
public record NodeOrder(List<NodeOrderKey> keys, boolean byCreation, boolean inTurn) {

  /** Which amount of a node's resource is compared. */
  public enum ComparedAmount {
    /** What the node has when nothing runs. */
    TOTAL,
    /** What runs and proposals hold. */
    ASSIGNED,
    /** What is free. */
    UNUSED
  }

  /**
   * One sort key for nodes.
   *
   * @param resource name; {@link #PRIORITY} for the node's attribute Priority
   * @param high true when the node with the most comes first
   */
  public record NodeOrderKey(String resource, boolean high, ComparedAmount part) {}

  /** An order in which names decide between equal nodes. */
  public NodeOrder(List<NodeOrderKey> keys) {
    this(keys, false, false);
  }

  /** Key word that stands for the node's attribute {@code priority}. */
  public static final String PRIORITY = "sort_priority";

  /** Key word that stands for when a run ended on the node last. */
  public static final String LAST_USED = "last_used_time";

  /** Key word that stands for the node's name. */
  public static final String NAME = "name";

  /** Key word that stands for the load average that the node reports. */
  public static final String LOAD = "loadave";

  /** Key word that stands for how long nothing has run on the node. */
  public static final String IDLE = "idle_time";

  /** Nodes by name, so that jobs are packed on the first ones. */
  public static final NodeOrder BY_NAME = new NodeOrder(List.of());

  private static final Pattern KEY =
      Pattern.compile("\\s*(\\S+)\\s+(HIGH|LOW)(?:\\s+(total|assigned|unused))?\\s*");

  /**
   * Parses an order such as {@code sort_priority HIGH, ncpus LOW unused}; empty when the text is
   * not one.
   */
  public static Optional<NodeOrder> parse(String text) {
    List<NodeOrderKey> keys = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      Matcher matcher = KEY.matcher(word);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      String part = matcher.group(3) == null ? "total" : matcher.group(3);
      keys.add(
          new NodeOrderKey(
              matcher.group(1),
              matcher.group(2).equals("HIGH"),
              ComparedAmount.valueOf(part.toUpperCase(Locale.ROOT))));
    }
    return Optional.of(new NodeOrder(List.copyOf(keys)));
  }

  /** True when the order depends on what runs, so that it changes with each start and end. */
  public boolean changesWithRuns() {
    return keys.stream().anyMatch(NodeOrder::changes);
  }

  private static boolean changes(NodeOrderKey key) {
    return switch (key.resource()) {
      case PRIORITY, NAME -> false;
      case LOAD, IDLE, LAST_USED -> true;
      default -> key.part() != ComparedAmount.TOTAL;
    };
  }
}
