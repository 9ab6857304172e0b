package io.millrace.server.core.admission;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.server.core.decision.PbsRefusal;
import java.util.HashMap;
import java.util.Map;

/**
 * The most and the least that one job may ask for of each resource. The queue's maximum overrides
 * the server's; what a job does not ask for is within all bounds.
 *
 * @param most amounts by resource
 * @param least amounts by resource
 */
record Bounds(Map<String, Long> most, Map<String, Long> least) {
  private static final String MOST = "resources_max.";
  private static final String LEAST = "resources_min.";

  static Bounds of(Map<String, String> queue, Map<String, String> server, ResourceTable resources) {
    Map<String, Long> most = new HashMap<>(amounts(server, MOST, resources));
    most.putAll(amounts(queue, MOST, resources));
    return new Bounds(most, amounts(queue, LEAST, resources));
  }

  private static Map<String, Long> amounts(
      Map<String, String> attributes, String prefix, ResourceTable resources) {
    Map<String, Long> amounts = new HashMap<>();
    attributes.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            String resource = name.substring(prefix.length());
            resources.find(resource).ifPresent(it -> amounts.put(resource, amount(it, value)));
          }
        });
    return amounts;
  }

  private static long amount(ResourceDefinition resource, String text) {
    try {
      return Amounts.parse(resource, text);
    } catch (RequestException e) {
      throw new IllegalStateException("an administrator's amount was checked when it was set", e);
    }
  }

  void check(JobSpec spec, ResourceTable resources) throws PbsRefusal {
    if (most.isEmpty() && least.isEmpty()) {
      return;
    }
    for (Attribute asked : spec.getResourceList()) {
      String name = asked.getName();
      ResourceDefinition resource = resources.find(name).orElse(null);
      boolean bounded = most.containsKey(name) || least.containsKey(name);
      if (resource == null || !bounded) {
        continue;
      }
      long amount = amount(resource, asked.getValue());
      if (amount > most.getOrDefault(name, Long.MAX_VALUE)
          || amount < least.getOrDefault(name, Long.MIN_VALUE)) {
        throw new PbsRefusal(PbsError.LIMITS_VIOLATED);
      }
    }
  }
}
