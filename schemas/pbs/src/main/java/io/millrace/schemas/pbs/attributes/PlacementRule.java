package io.millrace.schemas.pbs.attributes;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Which placement sets hold for jobs: sets of nodes that show the same value of a resource.
 *
 * @param on whether the administrator's sets are in use; those that a job asks for itself always
 *     are
 * @param keys resources of which each value makes a set; empty for no sets
 * @param explicitOnly false when the nodes without a value make a set too
 * @param spans whether a job that fits into no set, not even an empty one, may use all nodes
 */
public record PlacementRule(boolean on, List<String> keys, boolean explicitOnly, boolean spans) {

  /** Attribute of the server: whether its and the queues' keys make sets. */
  public static final String ENABLE = "node_group_enable";

  /** Attribute of the server and of queues: the keys. */
  public static final String KEY = "node_group_key";

  /** Attribute of scheduler objects: jobs never use several sets. */
  public static final String DO_NOT_SPAN = "do_not_span_psets";

  /** Attribute of scheduler objects: nodes without a value are in no set. */
  public static final String ONLY_EXPLICIT = "only_explicit_psets";

  /** What holds when nothing is said. */
  public static final PlacementRule NONE = new PlacementRule(false, List.of(), false, true);

  /**
   * What holds for the jobs of a scheduler.
   *
   * @param server may be null
   */
  public static PlacementRule of(ClusterObject scheduler, ClusterObject server) {
    boolean on = server != null && isTrue(server, ENABLE);
    PlacementRule rule =
        new PlacementRule(
            on,
            on ? keys(server) : List.of(),
            isTrue(scheduler, ONLY_EXPLICIT),
            !isTrue(scheduler, DO_NOT_SPAN));
    return rule.equals(NONE) ? NONE : rule;
  }

  /** The keys of the server or of a queue. */
  public static List<String> keys(ClusterObject object) {
    List<String> keys = new ArrayList<>();
    for (String word : text(object, KEY).split(",")) {
      if (!word.isBlank()) {
        keys.add(word.strip());
      }
    }
    return List.copyOf(keys);
  }

  private static boolean isTrue(ClusterObject object, String attribute) {
    return text(object, attribute).equalsIgnoreCase("true");
  }

  private static String text(ClusterObject object, String name) {
    for (Attribute attribute : object.getAttributes()) {
      if (attribute.getName().equals(name)) {
        return attribute.getValue();
      }
    }
    return "";
  }

  /** The rule for the jobs of a queue, whose keys come before the server's. */
  public PlacementRule ofQueue(List<String> queueKeys) {
    return on && !queueKeys.isEmpty() ? with(queueKeys) : this;
  }

  /** The rule for a job, whose {@code place=group=} comes before all other keys. */
  public PlacementRule ofJob(String group) {
    return group.isEmpty() ? this : with(List.of(group));
  }

  /** The rule without the administrator's sets, as for the jobs of a reservation. */
  public PlacementRule withoutSets() {
    return keys.isEmpty() ? this : with(List.of());
  }

  private PlacementRule with(List<String> others) {
    return others.equals(keys) ? this : new PlacementRule(on, others, explicitOnly, spans);
  }

  /** True when there are sets. */
  public boolean grouped() {
    return !keys.isEmpty();
  }

  /**
   * Names of the sets that a node is in, each once.
   *
   * @param properties what it shows
   */
  public List<String> sets(Map<String, String> properties) {
    return keys.stream().flatMap(key -> sets(key, properties).stream()).toList();
  }

  /** Names of the sets of one key that a node is in, each once. */
  public List<String> sets(String key, Map<String, String> properties) {
    List<String> names =
        Arrays.stream(properties.getOrDefault(key, "").split(","))
            .map(String::strip)
            .filter(it -> !it.isEmpty())
            .distinct()
            .map(it -> key + "=" + it)
            .toList();
    return names.isEmpty() && !explicitOnly ? List.of(key + "=\"\"") : names;
  }
}
