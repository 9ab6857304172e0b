package io.millrace.server.core.placement;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The nodes that share a host. Follows from the objects alone, and is kept until the next change of
 * any object: most hosts have one node, and it is asked for with every run.
 */
public final class HostNodes {
  private long change = -1;
  private Map<String, List<String>> shared = Map.of();

  /** The nodes of its host that are in this shard, the node itself among them. */
  public List<Node> with(View view, Node node) {
    List<String> names = shared(view).get(node.getHost());
    return names == null
        ? List.of(node)
        : names.stream().map(view.nodes()::get).filter(Objects::nonNull).toList();
  }

  /** Names of the nodes of each host that has more than one, in whatever shards. */
  private Map<String, List<String>> shared(View view) {
    long applied = ShardNumbers.of(view).getAppliedChange();
    if (applied != change) {
      Map<String, List<String>> found = new HashMap<>();
      Nodes.each(
          view,
          ObjectKind.NODE,
          node ->
              found
                  .computeIfAbsent(Nodes.host(node), host -> new ArrayList<>(1))
                  .add(node.getName()));
      found.values().removeIf(names -> names.size() < 2);
      shared = Map.copyOf(found);
      change = applied;
    }
    return shared;
  }
}
