package io.millrace.server.core.admission;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import io.millrace.schemas.state.Queued;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The server's limits that hold for the jobs of all shards together: on queued jobs, and on what
 * runs use of a resource. A limit for somebody is known by its key: the resource, {@code @}, and
 * for whom, as {@code @u:ann} for the jobs of user ann, or {@code ncpus@running} for all runs.
 */
final class ServerLimits {
  private static final char WHOM = '@';

  private ServerLimits() {}

  static List<EntityLimit> of(View view) {
    ClusterObject server = view.objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
    return EntityLimit.any(server)
        ? AdmissionRules.limits(server, "", CustomResources.with(view))
        : List.of();
  }

  /** Whether jobs may be in several shards, so that no shard can count for itself. */
  static boolean shared(View view) {
    int[] partitions = {0};
    Nodes.each(view, ObjectKind.PARTITION, partition -> partitions[0]++);
    return partitions[0] > 1;
  }

  static String key(EntityLimit limit, String whom) {
    return limit.resource() + WHOM + whom;
  }

  private static String resource(String key) {
    return key.substring(0, Math.max(0, key.indexOf(WHOM)));
  }

  private static String whom(String key) {
    return key.substring(key.indexOf(WHOM) + 1);
  }

  /** The amount of a limit; empty when the server has it no longer. */
  static OptionalLong most(View view, String key) {
    if (key.endsWith(LimitEntry.OF_RUNS)) {
      return RunningAmounts.available(view, resource(key));
    }
    return find(view, key).map(it -> OptionalLong.of(it.most())).orElse(OptionalLong.empty());
  }

  /** The key of what all runs together may use of a resource. */
  static String ofRuns(String resource) {
    return resource + LimitEntry.OF_RUNS;
  }

  /** The limit on queued jobs of a key; empty when the server has it no longer. */
  static Optional<EntityLimit> find(View view, String key) {
    List<EntityLimit> all = of(view);
    return all.stream()
        .filter(it -> it.resource().equals(resource(key)) && it.holds(all, whom(key)))
        .findFirst();
  }

  /** What a job counts for each of the server's limits that hold for it, by their keys. */
  static Map<String, Long> units(View view, JobSpec spec, int jobs) {
    List<EntityLimit> all = of(view);
    if (all.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> amounts = QueuedJobs.amounts(spec.getRequest());
    Map<String, Long> units = new TreeMap<>();
    for (EntityLimit limit : all) {
      String whom = limit.whom(spec);
      long each = limit.resource().isEmpty() ? 1 : amounts.getOrDefault(limit.resource(), 0L);
      if (each > 0 && limit.holds(all, whom)) {
        units.put(key(limit, whom), each * jobs);
      }
    }
    return units;
  }

  /** All queues in which jobs of this shard may be, those on their way to another one too. */
  static List<String> queues(View view) {
    List<String> names = new ArrayList<>();
    Nodes.each(view, ObjectKind.QUEUE, queue -> names.add(queue.getName()));
    names.addAll(Reservations.queuesWithJobs(view));
    return names;
  }

  /** What the jobs of this shard have of a limit. */
  static long present(View view, String key) {
    String resource = resource(key);
    if (key.endsWith(LimitEntry.OF_RUNS)) {
      return RunningAmounts.inUse(view, resource);
    }
    long sum = 0;
    for (String queue : queues(view)) {
      Queued count = view.queued().get(QueuedJobs.key(queue, whom(key)));
      if (count != null) {
        sum += resource.isEmpty() ? count.getJobs() : count.getAmounts().getOrDefault(resource, 0L);
      }
    }
    return sum;
  }
}
