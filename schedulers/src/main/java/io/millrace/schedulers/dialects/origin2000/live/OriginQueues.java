package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.dialects.origin2000.state.OriginQueueState;
import io.millrace.schedulers.dialects.origin2000.state.OriginQueueState.RequestBound;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The queues that administrators have made. */
final class OriginQueues {

  private static final ResourceTable RESOURCES = ResourceTable.standard();

  private final Map<String, ClusterObject> objects = new TreeMap<>();

  void written(ClusterObject queue) {
    objects.put(queue.getName(), queue);
  }

  void deleted(String name) {
    objects.remove(name);
  }

  /** Whether a queue is of one of these partitions. */
  boolean within(String name, Set<String> partitions) {
    ClusterObject object = objects.get(name);
    return object != null && within(object, partitions);
  }

  private static boolean within(ClusterObject queue, Set<String> partitions) {
    return partitions.contains(ObjectAttributes.text(queue, "partition", DefaultNames.PARTITION))
        && !ObjectAttributes.text(queue, "queue_type", "").equals("Route");
  }

  /** The queues of these partitions as the cycle sees them, by name. */
  Map<String, OriginQueueState> states(Set<String> partitions) {
    Map<String, OriginQueueState> states = new LinkedHashMap<>();
    objects.values().stream()
        .filter(it -> within(it, partitions))
        .forEach(it -> states.put(it.getName(), state(it)));
    return states;
  }

  private static OriginQueueState state(ClusterObject queue) {
    return new OriginQueueState(
        queue.getName(),
        isTrue(queue, "started"),
        isTrue(queue, "enabled"),
        ObjectAttributes.number(queue, "max_running", -1),
        ObjectAttributes.number(queue, "max_user_run", -1),
        users(queue),
        bound(queue, "resources_max."),
        bound(queue, "resources_min."));
  }

  private static boolean isTrue(ClusterObject queue, String name) {
    return ObjectAttributes.text(queue, name, "False").equals("True");
  }

  /** Names of the access list without their hosts; null when there is none. */
  private static List<String> users(ClusterObject queue) {
    if (!isTrue(queue, "acl_user_enable")) {
      return null;
    }
    return Arrays.stream(ObjectAttributes.text(queue, "acl_users", "").split(","))
        .map(it -> it.strip().split("@", 2)[0])
        .filter(it -> !it.isEmpty())
        .toList();
  }

  private static RequestBound bound(ClusterObject queue, String prefix) {
    return new RequestBound(
        amount(queue, prefix, "ncpus"),
        amount(queue, prefix, "mem"),
        amount(queue, prefix, "walltime"));
  }

  private static long amount(ClusterObject queue, String prefix, String resource) {
    String text = ObjectAttributes.text(queue, prefix + resource, "");
    Optional<ResourceDefinition> known = RESOURCES.find(resource);
    if (text.isEmpty() || known.isEmpty()) {
      return -1;
    }
    try {
      return Amounts.parse(known.get(), text);
    } catch (RequestException e) {
      return -1; // the administrative shard has let no such text in
    }
  }
}
