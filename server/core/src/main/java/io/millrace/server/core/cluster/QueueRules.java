package io.millrace.server.core.cluster;

import io.millrace.schemas.HostName;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.RouteQueue;
import io.millrace.server.core.state.Keys;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Queues: in a partition, together with the nodes that are bound to them. */
record QueueRules(ObjectChange change, Draft draft) implements ObjectRules {

  /** A day; a run that ignores SIGTERM holds its nodes for this long. */
  private static final long KILL_DELAY_MOST_S = 86_400;

  private static final int NAME_MAX = 15;

  private static final String ONLY_ROUTED = "from_route_only";

  /** Nothing of this has an effect where jobs are sent on. */
  private static final Set<String> OF_EXECUTION =
      Set.of(
          "default_chunk",
          "resources_available",
          "kill_delay",
          "max_output",
          "max_run",
          "max_run_res",
          "max_run_soft",
          "max_run_res_soft",
          "max_user_run",
          "max_group_run",
          "max_user_res",
          "max_group_res",
          "max_user_run_soft",
          "max_group_run_soft",
          "max_user_res_soft",
          "max_group_res_soft",
          "node_group_key",
          AttributeTable.BEST_EFFORT);

  @Override
  public Map<String, String> fresh() throws RejectedChange {
    ObjectRules.refuseExisting(change, draft, PbsError.QUEUE_EXISTS);
    if (ReservationIds.isReserved(change.getName())) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, ": this name is a reservation's");
    }
    if (change.getName().length() > NAME_MAX) {
      throw new RejectedChange(PbsError.QUEUE_NAME_LONG);
    }
    return new LinkedHashMap<>();
  }

  @Override
  public PbsError unknown() {
    return PbsError.UNKNOWN_QUEUE;
  }

  @Override
  public void check(AttributeDefinition definition, String value) throws RejectedChange {
    ObjectRules.checkAccess(definition, value);
    ObjectRules.checkArrays(definition, value);
    ObjectRules.checkOutput(definition, value);
    ObjectRules.checkSets(definition, value, draft);
    if (definition.name().equals("route_destinations")) {
      refuseOtherServers(value);
    }
    if (definition.name().equals("kill_delay")
        && (Long.parseLong(value) < 0 || Long.parseLong(value) > KILL_DELAY_MOST_S)) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE, ": kill_delay is 0 to " + KILL_DELAY_MOST_S + " seconds");
    }
  }

  /** Refuses destinations on other servers. */
  private void refuseOtherServers(String destinations) throws RejectedChange {
    ClusterObject server = draft.find(ObjectKind.SERVER, Keys.SERVER);
    String here = Context.attribute(server, "server_host", "");
    for (String destination : Draft.words(destinations)) {
      int at = destination.indexOf('@');
      if (at >= 0 && !isHere(destination.substring(at + 1), here)) {
        throw new RejectedChange(
            PbsError.ILLEGAL_VALUE,
            " route_destinations: " + destination + " is of another server than " + here);
      }
    }
  }

  private static boolean isHere(String server, String here) {
    return HostName.untilDot(server).equalsIgnoreCase(HostName.untilDot(here))
        || server.equals("default");
  }

  @Override
  public void delete(ClusterObject object) throws RejectedChange {
    if (Nodes.any(draft.view(), this::isBoundHere)) {
      throw new RejectedChange(
          PbsError.OBJECT_BUSY); // nodes would be bound to a queue that is gone
    }
    new BestEffortRules(draft).delete(object.getName());
    draft.askAllShards();
  }

  @Override
  public void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    LimitStyles.check(draft, change, attributes);
    checkRoute(before, attributes);
    checkComplete(attributes);
    new BestEffortRules(draft).queue(change.getName(), before, attributes);
    String was = before == null ? "" : Context.attribute(before, "partition", "");
    String is = attributes.getOrDefault("partition", "");
    Partitions.refuseDefaultName(is);
    if (!was.equals(is)) {
      refuseBoundNodes(is);
    }
    new Partitions(draft).ensure(is);
  }

  /** Before a queue takes jobs it has a type, and a routing one knows where to send them. */
  private void checkComplete(Map<String, String> attributes) throws RejectedChange {
    String type = attributes.getOrDefault("queue_type", "");
    boolean complete =
        type.equals("Execution")
            || (type.equals("Route") && attributes.containsKey("route_destinations"));
    boolean enabled =
        ObjectRules.edit(change, "enabled") != null && "True".equals(attributes.get("enabled"));
    if (enabled && !complete) {
      throw new RejectedChange(PbsError.QUEUE_INCOMPLETE);
    }
  }

  /**
   * A routing queue has no partition and has attributes of its own; the type of a queue cannot
   * change.
   */
  private void checkRoute(ClusterObject before, Map<String, String> attributes)
      throws RejectedChange {
    String type = attributes.getOrDefault("queue_type", "");
    boolean route = type.equals("Route");
    if (route && attributes.containsKey("partition")) {
      boolean was = before != null && RouteQueue.is(before);
      String last = ObjectRules.edit(change, "partition") == null ? "queue_type" : "partition";
      throw was
          ? new RejectedChange(PbsError.ROUTE_WITHOUT_PARTITION)
          : new RejectedChange(PbsError.PARTITION_WITHOUT_ROUTE, last);
    }
    String was = Context.attribute(before, "queue_type", type);
    if (type.isEmpty() && !was.isEmpty()) {
      throw new RejectedChange(PbsError.QUEUE_TYPE_NEEDED);
    }
    if (!was.equals(type)) {
      // Jobs in the queue would be stuck there.
      throw new RejectedChange(PbsError.UNSUPPORTED, ": the type of a queue does not change");
    }
    for (String name : attributes.keySet()) {
      boolean fits =
          route
              ? !OF_EXECUTION.contains(name.replaceFirst("\\..*", ""))
                  && !(name.equals(ONLY_ROUTED) && "True".equals(attributes.get(name)))
              : !name.startsWith("route_");
      if (!fits) {
        throw new RejectedChange(
            PbsError.ATTRIBUTE_OF_OTHER_TYPE,
            change.getName() + " incompatible with attribute " + name);
      }
    }
    for (String time : List.of("route_retry_time", "route_lifetime")) {
      if (attributes.getOrDefault(time, "0").startsWith("-")) {
        throw new RejectedChange(PbsError.ILLEGAL_VALUE);
      }
    }
    if (route && leadsBack(attributes.getOrDefault("route_destinations", ""))) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " route_destinations: leads back here");
    }
  }

  /** Whether one of the destinations can route jobs back to this queue. */
  private boolean leadsBack(String destinations) {
    Set<String> reached = new LinkedHashSet<>(names(destinations));
    Deque<String> ahead = new ArrayDeque<>(reached);
    while (!ahead.isEmpty() && !reached.contains(change.getName())) {
      ClusterObject next = draft.find(ObjectKind.QUEUE, ahead.remove());
      if (RouteQueue.is(next)) {
        names(Context.attribute(next, "route_destinations", "")).stream()
            .filter(reached::add)
            .forEach(ahead::add);
      }
    }
    return reached.contains(change.getName());
  }

  private static List<String> names(String destinations) {
    return Draft.words(destinations).stream().map(it -> it.replaceFirst("@.*", "")).toList();
  }

  private void refuseBoundNodes(String partition) throws RejectedChange {
    boolean differs =
        Nodes.any(
            draft.view(),
            node ->
                isBoundHere(node)
                    && Partitions.differ(Context.attribute(node, "partition", ""), partition));
    if (differs) {
      throw new RejectedChange(PbsError.INVALID_QUEUE_PARTITION);
    }
  }

  private boolean isBoundHere(ClusterObject node) {
    return Context.attribute(node, "queue", "").equals(change.getName());
  }
}
