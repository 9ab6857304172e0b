package io.millrace.schedulers.core.state.limit;

import io.millrace.schedulers.core.model.LimitRules;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.node.NodeTable;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sums with which limits are compared, and which of them hold for the jobs of a class. */
final class LimitSums {

  /**
   * One sum that a limit is compared with.
   *
   * @param queue empty for the server
   * @param attribute limits of several attributes hold beside each other
   */
  private record LimitedSum(String queue, char whom, String name, String attribute) {

    boolean isOfServer(String resource) {
      return queue.isEmpty() && attribute.equals(LimitRules.available(resource));
    }
  }

  private final NodeTable nodes;
  private final ResourceNames names;
  private final LeasedLimits leases;
  private final Map<LimitedSum, LimitMeter> meters = new HashMap<>();

  LimitSums(NodeTable nodes, ResourceNames names, LeasedLimits leases) {
    this.nodes = nodes;
    this.names = names;
    this.leases = leases;
  }

  Collection<LimitMeter> all() {
    return meters.values();
  }

  /** Those of what the server has of a resource. */
  List<LimitMeter> ofServer(String resource) {
    return meters.entrySet().stream()
        .filter(it -> it.getKey().isOfServer(resource))
        .map(Map.Entry::getValue)
        .toList();
  }

  void clear() {
    meters.clear();
  }

  /**
   * The limits that hold for the jobs of a class, in the order in which PBS checks them.
   *
   * @param server limits of the server
   * @param soft whether limits are meant that may be passed
   */
  List<LimitBound> of(ClassState owner, LimitRules server, boolean soft) {
    List<LimitBound> found = new ArrayList<>();
    add(owner, owner.queue().limits(), owner.queue().name(), found);
    add(owner, server, "", found);
    found.removeIf(it -> it.rule().soft() != soft);
    // PBS checks all limits on the number of jobs before limits on amounts.
    found.sort(Comparator.comparingInt(it -> it.rule().rank()));
    return List.copyOf(found);
  }

  private void add(ClassState owner, LimitRules rules, String queue, List<LimitBound> found) {
    for (LimitRules.Rule rule : rules.of(owner.account())) {
      Optional<Long> amount = compared(rule) ? amount(rule) : Optional.empty();
      long need =
          rule.resource().isEmpty() ? 1 : owner.shape().total(names.number(rule.resource()));
      if (amount.isPresent() && need > 0) {
        char whom = rule.entry().whom();
        LimitedSum sum = new LimitedSum(queue, whom, owner.account().name(whom), rule.attribute());
        LimitMeter meter = meters.computeIfAbsent(sum, it -> new LimitMeter());
        boolean ofServer = queue.isEmpty() && rule.attribute().startsWith(LimitRules.available(""));
        if (ofServer) {
          meter.lease(leases.of(rule.resource()));
        }
        found.add(new LimitBound(rule, queue, meter, amount.get(), need));
      }
    }
  }

  /** False for what there is of a resource that is not compared; limits of owners always are. */
  private boolean compared(LimitRules.Rule rule) {
    return names.compares(rule.resource())
        || !rule.attribute().equals(LimitRules.available(rule.resource()));
  }

  /** The limit in base units; empty for a resource that is not known. */
  private Optional<Long> amount(LimitRules.Rule rule) {
    String text = rule.entry().amount();
    if (rule.resource().isEmpty()) {
      return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }
    Optional<ResourceDefinition> resource = nodes.resources().find(rule.resource());
    try {
      return resource.isEmpty()
          ? Optional.empty()
          : Optional.of(Amounts.parse(resource.get(), text));
    } catch (RequestException e) {
      // The shard does not accept a limit that cannot be read, so an unreadable one limits nothing
      // here.
      return Optional.empty();
    }
  }
}
