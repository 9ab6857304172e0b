package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.View;
import java.util.HashSet;
import java.util.Set;

/**
 * Which nodes run the jobs of a queue: those that are bound to it by their attribute {@code queue},
 * or, when no node of any partition is bound to it, the nodes of its partition that are bound to no
 * queue.
 *
 * <p>Follows from the objects alone. It is kept until the next change of any object, since there
 * are many nodes and many runs.
 */
public final class QueueNodes {
  private long change = -1;
  private Set<String> queues = Set.of();

  public boolean serves(View view, ClusterObject node, ClusterObject queue) {
    if (!PartitionTable.partitionOf(node).equals(PartitionTable.partitionOf(queue))) {
      return false;
    }
    String of = queueOf(node);
    return of.isEmpty() ? !withNodes(view).contains(queue.getName()) : of.equals(queue.getName());
  }

  /** Names of the queues to which nodes are bound. */
  private Set<String> withNodes(View view) {
    long applied = ShardNumbers.of(view).getAppliedChange();
    if (applied != change) {
      Set<String> found = new HashSet<>();
      Nodes.each(view, ObjectKind.NODE, node -> found.add(queueOf(node)));
      found.remove("");
      queues = found;
      change = applied;
    }
    return queues;
  }

  private static String queueOf(ClusterObject node) {
    return Context.attribute(node, "queue", "");
  }
}
