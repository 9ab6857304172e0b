package io.millrace.server.core.admission;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.LimitLease;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.ComparedAmounts;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.View;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What the server has of resources for the runs of all shards together: its attributes {@code
 * resources_available.RESOURCE}. Each shard starts what fits into its lease; an engine is told to
 * try again later when there is no more, and the shard asks for it meanwhile. Where one partition
 * is all its engine counts alone.
 */
public final class RunningAmounts {
  private static final String PREFIX = "resources_available.";

  private RunningAmounts() {}

  static boolean isLimit(String attribute) {
    return attribute.startsWith(PREFIX);
  }

  private static List<Attribute> attributes(View view) {
    ClusterObject server = view.objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
    return server == null ? List.of() : server.getAttributes();
  }

  static OptionalLong available(View view, String resource) {
    for (Attribute attribute : attributes(view)) {
      if (attribute.getName().equals(PREFIX + resource)) {
        return amount(view, resource, attribute.getValue());
      }
    }
    return OptionalLong.empty();
  }

  private static OptionalLong amount(View view, String resource, String text) {
    Optional<ResourceDefinition> known = CustomResources.with(view).find(resource);
    try {
      return known.isEmpty()
          ? OptionalLong.empty()
          : OptionalLong.of(Amounts.parse(known.get(), text));
    } catch (RequestException e) {
      throw new IllegalStateException("an administrator's amount was checked when it was set", e);
    }
  }

  /**
   * What the runs of this shard have of a resource, in all queues; not those that are suspended.
   */
  static long inUse(View view, String resource) {
    return Math.max(0, ShardNumbers.of(view).getAssigned().getOrDefault(resource, 0L));
  }

  /**
   * A refusal of a start, or of a run that is to be resumed, where its shares are more than what
   * the shard has leased or the server has; empty where they fit.
   */
  public static Optional<Decision> refusal(Context c, Job job, List<NodeShare> shares) {
    Map<String, Long> limits = limits(c.view());
    if (limits.isEmpty() || !ServerLimits.shared(c.view())) {
      return Optional.empty();
    }
    ComparedAmounts compared = ComparedAmounts.of(c.view(), CustomResources.with(c.view()), job);
    limits.keySet().removeIf(resource -> !compared.compares(resource));
    for (Map.Entry<String, Long> limit : limits.entrySet()) {
      long more = 0;
      for (NodeShare share : shares) {
        more += share.getAmounts().getOrDefault(limit.getKey(), 0L);
      }
      String key = ServerLimits.ofRuns(limit.getKey());
      long inUse = more <= 0 ? 0 : inUse(c.view(), limit.getKey());
      LimitLease lease = LimitLeases.of(c.view(), key);
      if (more > 0 && inUse + more > Math.min(limit.getValue(), lease.getAmount())) {
        Decision refusal =
            Decision.rejected(c, PbsError.INSUFFICIENT, ": " + limit.getKey() + " of the server");
        if (more <= limit.getValue()) {
          LimitLeases.ask(c, key, inUse, inUse + more, refusal);
        }
        return Optional.of(refusal);
      }
    }
    return Optional.empty();
  }

  /** By resource, in an order that is the same in each replay. */
  private static Map<String, Long> limits(View view) {
    Map<String, Long> limits = new TreeMap<>();
    for (Attribute attribute : attributes(view)) {
      if (isLimit(attribute.getName())) {
        String resource = attribute.getName().substring(PREFIX.length());
        OptionalLong amount = amount(view, resource, attribute.getValue());
        amount.ifPresent(most -> limits.put(resource, most));
      }
    }
    return limits;
  }
}
