package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What of the cluster's objects holds for best-effort jobs: no other queue, no run limit of the
 * server, and of the scheduler object neither policy nor promises nor preemption. They take the
 * nodes that others take last.
 */
final class RestOfCluster {

  /** Attributes of a scheduler object that hold for best-effort jobs too. */
  private static final Set<String> OF_SCHEDULER =
      Set.of(
          "scheduling",
          "partition",
          "scheduler_iteration",
          "job_accumulation_time",
          PlacementRule.DO_NOT_SPAN,
          PlacementRule.ONLY_EXPLICIT);

  /** Attributes of the server that hold for them. */
  private static final Set<String> OF_SERVER =
      Set.of(
          "scheduling",
          AttributeTable.TERMINATING,
          "job_accumulation_time",
          PlacementRule.ENABLE,
          PlacementRule.KEY);

  private static final String NODE_ORDER = "node_sort_key";

  private RestOfCluster() {}

  /** The object as best-effort jobs see it; null for one that is nothing to them. */
  static ClusterObject seen(ClusterObject object, String scheduler) {
    return switch (object.getKind()) {
      case QUEUE ->
          ObjectAttributes.text(object, AttributeTable.BEST_EFFORT, "").equals("True")
              ? object
              : null;
      case SERVER -> with(object, kept(object, OF_SERVER));
      case SCHEDULER -> object.getName().equals(scheduler) ? schedulerObject(object) : null;
      case NODE, RESOURCE, PARTITION -> object;
    };
  }

  private static ClusterObject schedulerObject(ClusterObject object) {
    List<Attribute> attributes = kept(object, OF_SCHEDULER);
    attributes.add(new Attribute("preemptive_sched", "False"));
    attributes.add(
        new Attribute(NODE_ORDER, reversed(ObjectAttributes.text(object, NODE_ORDER, ""))));
    return with(object, attributes);
  }

  /** The order of nodes the other way round. */
  private static String reversed(String order) {
    StringBuilder text = new StringBuilder();
    for (String key : order.split(",")) {
      if (!key.isBlank()) {
        boolean high = key.contains(" HIGH");
        text.append(key.replace(high ? " HIGH" : " LOW", high ? " LOW" : " HIGH")).append(',');
      }
    }
    return text.append("name HIGH").toString();
  }

  private static List<Attribute> kept(ClusterObject object, Set<String> names) {
    List<Attribute> kept = new ArrayList<>(object.getAttributes());
    kept.removeIf(it -> !names.contains(it.getName()));
    return kept;
  }

  private static ClusterObject with(ClusterObject object, List<Attribute> attributes) {
    return ClusterObject.newBuilder(object).setAttributes(attributes).build();
  }
}
