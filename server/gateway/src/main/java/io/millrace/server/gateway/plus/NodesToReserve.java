package io.millrace.server.gateway.plus;

import io.millrace.reservations.classad.asked.LoadedRule;
import io.millrace.reservations.classad.asked.NodeDescription;
import io.millrace.reservations.classad.asked.NodesAsked;
import io.millrace.reservations.classad.asked.ReservedTimes;
import io.millrace.reservations.classad.asked.RuleInForce;
import io.millrace.reservations.classad.asked.StepSum;
import io.millrace.reservations.classad.plus.Utilisation;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which of the free nodes a user could reserve by what administrators have loaded: asked as the
 * schedulers of their partitions would, in the order of the nodes' names.
 */
final class NodesToReserve {

  private final Site site;
  private final NodesAsked.Enquiry enquiry;
  private final Map<String, ClusterObject> objects;

  /** All nodes as they are, which only texts ask about. */
  private final Map<String, Node> nodes = new TreeMap<>();

  private final ResourceTable resources;
  private final List<ReservedTimes> reserved = new ArrayList<>();

  /** One question of a user is bounded as one reservation is. */
  private final StepSum steps = new StepSum();

  /** Texts by scheduler object; one that was read serves all partitions of it. */
  private final Map<String, RuleInForce> rules = new HashMap<>();

  /** What counts in each partition, if anything does. */
  private final Map<String, Optional<LoadedRule>> loaded = new HashMap<>();

  /** By partition; none where no text counts. */
  private final Map<String, NodesAsked> asked = new HashMap<>();

  /**
   * @param objects the nodes' objects by their names
   */
  NodesToReserve(Site site, NodesAsked.Enquiry enquiry, Map<String, ClusterObject> objects) {
    this.site = site;
    this.enquiry = enquiry;
    this.objects = objects;
    this.resources = site.resources();
  }

  /** Reads what texts may ask about nodes and the user; before any node is asked about. */
  void read() throws QueryException, InterruptedException {
    boolean asks = false;
    boolean asksUse = false;
    for (ClusterObject node : objects.values()) {
      LoadedRule rule = rule(Site.partitionOf(node));
      asks |= rule != null;
      asksUse |= rule != null && rule.asksUse();
    }
    if (asks) {
      site.queries().nodes().forEach(it -> nodes.put(it.getName(), it));
    }
    if (!asksUse) {
      return;
    }
    site.queries().reservations().forEach(it -> reserved.add(ReservedTimes.of(it)));
    for (PastReservation past : site.queries().pastReservations()) {
      reserved.add(ReservedTimes.of(past));
    }
  }

  private LoadedRule rule(String partition) {
    return loaded
        .computeIfAbsent(partition, it -> Optional.ofNullable(inForce(partition)))
        .orElse(null);
  }

  private LoadedRule inForce(String partition) {
    String scheduler =
        site.cluster()
            .find(ObjectKind.PARTITION, partition)
            .flatMap(it -> ClusterView.attribute(it, "scheduler"))
            .orElse("");
    ClusterObject object = site.cluster().find(ObjectKind.SCHEDULER, scheduler).orElse(null);
    return rules
        .computeIfAbsent(scheduler, it -> new RuleInForce())
        .of(object, site.cluster().server().orElse(null));
  }

  /** Whether the user could reserve a free node together with those before it. */
  boolean mayHave(String name) {
    ClusterObject object = objects.get(name);
    String partition = Site.partitionOf(object);
    if (!asked.containsKey(partition)) {
      LoadedRule rule = rule(partition);
      asked.put(
          partition,
          rule == null
              ? null
              : new NodesAsked(rule, enquiry, () -> all(partition), utilisation(), steps));
    }
    NodesAsked of = asked.get(partition);
    if (of == null) {
      return true;
    }
    Node node = nodes.get(name);
    return node != null && of.refusal(name, described(node, object)).isEmpty();
  }

  private Utilisation utilisation() {
    return (owner, from, to) -> {
      steps.looked(reserved.size());
      return ReservedTimes.sum(reserved, owner, from, to);
    };
  }

  private RecordExpression described(Node node, ClusterObject object) {
    return NodeDescription.of(node, object, resources).attributes();
  }

  private List<RecordExpression> all(String partition) {
    List<RecordExpression> all = new ArrayList<>();
    for (Node node : nodes.values()) {
      ClusterObject object = objects.get(node.getName());
      if (object != null && Site.partitionOf(object).equals(partition)) {
        all.add(described(node, object));
      }
    }
    return all;
  }
}
