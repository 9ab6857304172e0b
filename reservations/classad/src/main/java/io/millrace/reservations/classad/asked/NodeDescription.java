package io.millrace.reservations.classad.asked;

import io.millrace.reservations.classad.plus.NodeRecord;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import java.util.Map;
import java.util.TreeMap;

/** Makes of a node's records what a text may ask of it. */
public final class NodeDescription {

  private static final String LOAD = NodeLoads.PREFIX + "load_medium";
  private static final double MILLIONTHS = 1e6;

  private NodeDescription() {}

  /**
   * A node with the runs that its record has.
   *
   * @param object the node's object; may be null
   */
  public static NodeRecord of(Node node, ClusterObject object, ResourceTable resources) {
    long runs = node.getHoldings().stream().mapToLong(Holding::getNumber).distinct().count();
    long load = node.getMeasured().getOrDefault(LOAD, 0L);
    return of(node, object, resources, now(node, (int) runs, load));
  }

  /**
   * How a node is.
   *
   * @param loadMillionths the load average of five minutes, the one of which changes are reported
   */
  public static NodeRecord.NodeCondition now(Node node, int runs, long loadMillionths) {
    boolean alive = node.getUp() && NodeLoads.away(node.getMeasured()) == 0;
    return new NodeRecord.NodeCondition(alive, loadMillionths / MILLIONTHS, runs);
  }

  /**
   * A node that is in a state.
   *
   * @param object the node's object; may be null
   */
  public static NodeRecord of(
      Node node, ClusterObject object, ResourceTable resources, NodeRecord.NodeCondition state) {
    Map<String, Long> amounts = NodeAmounts.capacity(node, object, resources);
    Map<String, String> properties = NodeAmounts.properties(node, object, resources);
    Map<String, Value> others = new TreeMap<>();
    amounts.forEach(
        (name, amount) ->
            resources.find(name).ifPresent(it -> others.put(name, number(it, amount))));
    properties.forEach(
        (name, text) -> resources.find(name).ifPresent(it -> others.put(name, value(it, text))));
    String arch = properties.get("arch");
    return new NodeRecord(
        node.getName(),
        state,
        new NodeRecord.NodePlatform(arch, properties.getOrDefault("os", "linux")),
        new NodeRecord.Size(
            amounts.getOrDefault("ncpus", 0L).intValue(), amounts.getOrDefault("mem", 0L)),
        others);
  }

  private static Value value(ResourceDefinition resource, String text) {
    if (resource.kind() == ResourceKind.STRING) {
      return Scalar.of(text);
    }
    try {
      long amount = Amounts.parse(resource, text);
      return resource.kind() == ResourceKind.BOOLEAN
          ? Scalar.of(amount != 0)
          : number(resource, amount);
    } catch (RequestException e) {
      return Scalar.UNDEFINED; // a property that cannot be read counts as absent
    }
  }

  private static Value number(ResourceDefinition resource, long amount) {
    return resource.kind() == ResourceKind.FLOAT
        ? Scalar.of(amount / MILLIONTHS)
        : Scalar.of(amount);
  }
}
