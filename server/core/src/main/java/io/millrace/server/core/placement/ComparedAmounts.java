package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.schedconfig.ComparedResources;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.View;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What of a run is held against what there is, as the sched_config of its scheduler says: other
 * resources a job takes as it asks for them.
 */
public final class ComparedAmounts {
  private final List<String> listed;
  private final List<String> endless;
  private final ResourceTable resources;

  private ComparedAmounts(ClusterObject scheduler, ResourceTable resources) {
    this.resources = resources;
    this.listed = list(scheduler, AttributeTable.COMPARED_RESOURCES);
    this.endless = list(scheduler, AttributeTable.UNSET_INFINITE);
  }

  /** What the scheduler says that serves the job's queue. */
  public static ComparedAmounts of(View view, ResourceTable resources, Job job) {
    ClusterObject queue = PartitionTable.queue(view, job.getSpec().getQueue());
    return in(view, resources, PartitionTable.partitionOf(queue));
  }

  /** What the scheduler says that serves a partition. */
  public static ComparedAmounts in(View view, ResourceTable resources, String partition) {
    String name = PartitionTable.schedulerOf(view, partition);
    return new ComparedAmounts(PartitionTable.scheduler(view, name), resources);
  }

  private static List<String> list(ClusterObject scheduler, String attribute) {
    String text = Context.attribute(scheduler, attribute, "");
    return text.isEmpty() ? List.of() : List.of(text.split(","));
  }

  /** Whether a resource is held against what there is. */
  public boolean compares(String resource) {
    return ComparedResources.compares(listed, resource, resources);
  }

  /** Whether a node that says nothing of a resource has endlessly much of it. */
  public boolean isEndless(String resource) {
    return endless.contains(resource);
  }

  /** Whether a node with these properties has to show one. */
  public boolean asks(String property, Map<String, String> properties) {
    return compares(property) && (!endless.contains(property) || properties.containsKey(property));
  }

  /** What of the amounts has to be free on a node. */
  public Map<String, Long> of(Map<String, Long> wanted, Node node, ClusterObject object) {
    if (listed.isEmpty() && endless.isEmpty()) {
      return wanted;
    }
    Map<String, Long> compared = new TreeMap<>(wanted);
    Map<String, Long> has = NodeAmounts.capacity(node, object, resources);
    compared.keySet().removeIf(it -> !compares(it) || endless.contains(it) && !has.containsKey(it));
    return compared;
  }
}
