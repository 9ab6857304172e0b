package io.millrace.server.core.admission;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The admission rules of a queue together with the server's, read once for all jobs of a decision.
 *
 * @param capacity most jobs in the queue; -1 for no limit
 * @param arrayMax most subjobs of an array
 */
record AdmissionRules(
    String queue,
    boolean enabled,
    boolean fromRouteOnly,
    long capacity,
    long arrayMax,
    QueueAccess access,
    Defaults defaults,
    Bounds bounds,
    List<EntityLimit> limits) {

  private static final String ARRAY_MAX = "max_array_size";

  /** Whether a limit depends on how many jobs are queued. */
  boolean counts() {
    return !limits.isEmpty() || capacity >= 0;
  }

  static AdmissionRules of(ClusterObject queue, ClusterObject server, ResourceTable resources) {
    Map<String, String> own = attributes(queue);
    Map<String, String> common = attributes(server);
    List<EntityLimit> limits = new ArrayList<>(limits(queue, queue.getName(), resources));
    limits.addAll(limits(server, "", resources));
    return new AdmissionRules(
        queue.getName(),
        "True".equals(own.get("enabled")),
        "True".equals(own.get("from_route_only")),
        Long.parseLong(own.getOrDefault("max_queuable", "-1")),
        arrayMax(own, common),
        QueueAccess.of(own),
        Defaults.of(own, common, resources),
        Bounds.of(own, common, resources),
        limits);
  }

  /** The limits on queued jobs of a queue, or of the server, which has no name here. */
  static List<EntityLimit> limits(ClusterObject object, String name, ResourceTable resources) {
    return EntityLimit.of(
        attributes(object), name, (resource, text) -> read(resources, resource, text));
  }

  private static long arrayMax(Map<String, String> own, Map<String, String> common) {
    String otherwise = AttributeTable.defaultOf(ObjectKind.SERVER, ARRAY_MAX);
    String server = common.getOrDefault(ARRAY_MAX, otherwise);
    String queue = own.getOrDefault(ARRAY_MAX, server);
    return Math.min(Long.parseLong(server), Long.parseLong(queue));
  }

  private static long read(ResourceTable resources, String resource, String text) {
    try {
      return resources.find(resource).isEmpty()
          ? Long.MAX_VALUE
          : Amounts.parse(resources.find(resource).get(), text);
    } catch (RequestException e) {
      throw new IllegalStateException("an administrator's amount was checked when it was set", e);
    }
  }

  private static Map<String, String> attributes(ClusterObject object) {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (object != null) {
      for (Attribute attribute : object.getAttributes()) {
        attributes.put(attribute.getName(), attribute.getValue());
      }
    }
    return attributes;
  }
}
