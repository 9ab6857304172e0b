package io.millrace.server.core.admission;

import io.millrace.reservations.resources.Amounts;
import io.millrace.reservations.resources.RequestException;
import io.millrace.reservations.resources.ResourceDefinition;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Refused;
import java.util.HashMap;
import java.util.Map;

/**
 * How much and how little one job may ask for. The most that a queue allows counts instead of what
 * the server allows; what a job does not ask for is within all bounds.
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

  void check(JobSpec spec, ResourceTable resources) throws Refused {
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
        throw new Refused(PbsError.LIMITS_VIOLATED);
      }
    }
  }
}
