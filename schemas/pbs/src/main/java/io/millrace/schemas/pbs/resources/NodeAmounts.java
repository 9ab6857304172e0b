package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Arithmetic with amounts on nodes, shared by the shard's checks and the engines. */
public final class NodeAmounts {

  private static final String AVAILABLE = "resources_available.";

  /** Resources that only lay out processes, so that no node can run out of them. */
  private static final Set<String> WITHOUT_LIMIT = Set.of("mpiprocs", "ompthreads");

  /** Half a pebibyte, if it is bytes: the most of which a sum over 16,000 nodes is a number. */
  private static final long ENDLESS = 1L << 49;

  private NodeAmounts() {}

  /** True when no node can run out of this resource. */
  public static boolean withoutLimit(String resource) {
    return WITHOUT_LIMIT.contains(resource);
  }

  /**
   * Amounts of consumable resources that the node has when nothing runs: what the administrator has
   * set, else what the executor measured. A resource that neither names counts as 0. An unreadable
   * value counts as 0, so that nothing is placed on it.
   *
   * @param object the node's object; may be null when only the run-time record exists
   */
  public static Map<String, Long> capacity(Node node, ClusterObject object, ResourceTable table) {
    TreeMap<String, Long> amounts = new TreeMap<>();
    node.getMeasured()
        .forEach(
            (name, amount) -> {
              if (table.find(name).map(ResourceDefinition::consumable).orElse(false)) {
                amounts.put(name, amount);
              }
            });
    if (object == null) {
      return amounts;
    }
    for (Attribute attribute : object.getAttributes()) {
      if (attribute.getName().startsWith(AVAILABLE)) {
        table
            .find(attribute.getName().substring(AVAILABLE.length()))
            .filter(ResourceDefinition::consumable)
            .ifPresent(it -> amounts.put(it.name(), amountOrZero(it, attribute.getValue())));
      }
    }
    return amounts;
  }

  /** What a node that says nothing of these resources has of them, where they are amounts. */
  public static Map<String, Long> endless(Set<String> resources, ResourceTable table) {
    Map<String, Long> amounts = new TreeMap<>();
    for (String name : resources) {
      if (table.find(name).map(ResourceDefinition::consumable).orElse(false)) {
        amounts.put(name, ENDLESS);
      }
    }
    return amounts;
  }

  /**
   * The node's attribute sharing.
   *
   * @param object the node's object; may be null
   */
  public static NodeSharing sharing(ClusterObject object) {
    if (object != null) {
      for (Attribute attribute : object.getAttributes()) {
        if (attribute.getName().equals(NodeSharing.ATTRIBUTE)) {
          return NodeSharing.of(attribute.getValue()).orElse(NodeSharing.DEFAULT_SHARED);
        }
      }
    }
    return NodeSharing.DEFAULT_SHARED;
  }

  /**
   * Properties of a node: its name as vnode, its host, arch (linux unless set otherwise), and all
   * non-consumable resources that are set.
   */
  public static Map<String, String> properties(
      Node node, ClusterObject object, ResourceTable table) {
    TreeMap<String, String> shown = new TreeMap<>();
    shown.put("arch", "linux");
    shown.put("host", node.getHost());
    shown.put("vnode", node.getName());
    if (object == null) {
      return shown;
    }
    for (Attribute attribute : object.getAttributes()) {
      if (attribute.getName().startsWith(AVAILABLE)) {
        table
            .find(attribute.getName().substring(AVAILABLE.length()))
            .filter(it -> !it.consumable())
            .ifPresent(it -> shown.put(it.name(), attribute.getValue()));
      }
    }
    return shown;
  }

  /**
   * True when a node with these properties satisfy a chunk's required property: an equal text (one
   * of a comma-separated list is enough; a host may be given without its domain), an equal boolean,
   * or at least the number.
   */
  public static boolean matches(
      Map<String, String> properties, String name, String wish, ResourceTable table) {
    String shown = properties.get(name);
    Optional<ResourceDefinition> resource = table.find(name);
    if (resource.isEmpty()) {
      return false;
    }
    try {
      switch (resource.get().kind()) {
        case STRING -> {
          return shown != null && Arrays.asList(shown.split(",")).contains(wish);
        }
        case BOOLEAN -> {
          long has = shown == null ? 0 : Amounts.parse(resource.get(), shown);
          return has == Amounts.parse(resource.get(), wish);
        }
        default -> {
          return shown != null
              && Amounts.parse(resource.get(), shown) >= Amounts.parse(resource.get(), wish);
        }
      }
    } catch (RequestException e) {
      // A property that cannot be parsed counts as absent.
      return false;
    }
  }

  /** Amounts that all runs on the node hold together, and jobs of its cluster that are not ours. */
  public static Map<String, Long> held(Node node) {
    Map<String, Long> sum = heldHere(node);
    add(sum, NodeLoads.held(node.getMeasured()));
    return sum;
  }

  private static Map<String, Long> heldHere(Node node) {
    TreeMap<String, Long> sum = new TreeMap<>();
    for (Holding holding : node.getHoldings()) {
      add(sum, holding.getAmounts());
    }
    return sum;
  }

  /** Capacity less what is held; negative when a node shrank under its runs. */
  public static Map<String, Long> free(Node node, ClusterObject object, ResourceTable table) {
    TreeMap<String, Long> free = new TreeMap<>(capacity(node, object, table));
    subtract(free, held(node));
    return free;
  }

  /**
   * The same of a node whose cluster has made room there for what was reserved: jobs that are not
   * ours do not count.
   */
  public static Map<String, Long> freeOfOurs(Node node, ClusterObject object, ResourceTable table) {
    TreeMap<String, Long> free = new TreeMap<>(capacity(node, object, table));
    subtract(free, heldHere(node));
    return free;
  }

  /** True when each amount, those without limit aside, is free. */
  public static boolean fits(Map<String, Long> free, Map<String, Long> amounts) {
    for (Map.Entry<String, Long> amount : amounts.entrySet()) {
      if (amount.getValue() > 0
          && !withoutLimit(amount.getKey())
          && free.getOrDefault(amount.getKey(), 0L) < amount.getValue()) {
        return false;
      }
    }
    return true;
  }

  /** Adds the amounts to the sum in place. */
  public static void add(Map<String, Long> sum, Map<String, Long> amounts) {
    amounts.forEach((name, amount) -> sum.merge(name, amount, Long::sum));
  }

  /** Subtracts the amounts from the sum in place. */
  public static void subtract(Map<String, Long> sum, Map<String, Long> amounts) {
    amounts.forEach((name, amount) -> sum.merge(name, -amount, Long::sum));
  }

  private static long amountOrZero(ResourceDefinition resource, String text) {
    try {
      return Amounts.parse(resource, text);
    } catch (RequestException e) {
      return 0;
    }
  }
}
