package io.millrace.schedulers.core.state.reservation;

import io.millrace.reservations.classad.asked.LoadedRule;
import io.millrace.reservations.classad.asked.NodeDescription;
import io.millrace.reservations.classad.asked.ReservedTimes;
import io.millrace.reservations.classad.asked.RuleInForce;
import io.millrace.reservations.classad.asked.StepSum;
import io.millrace.reservations.classad.plus.NodeRecord;
import io.millrace.reservations.classad.plus.Utilisation;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.NodeTable;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What an administrator's text says of the nodes that reservations would take ({@code
 * reservable.ad}), and what it may ask: nodes as records, and what users have reserved.
 */
public final class ReservableBook {

  private final String scheduler;
  private final NodeTable nodes;
  private final RuleInForce inForce = new RuleInForce();
  private ClusterObject schedulerObject;
  private ClusterObject serverObject;
  private LoadedRule rule;

  /** What reservations have that have not ended. */
  private final Map<Long, ReservedTimes> present = new HashMap<>();

  /** What those had that have ended and are still known; the oldest first. */
  private final TreeMap<Long, ReservedTimes> past = new TreeMap<>();

  /** Nodes as they were described last; kept only while there is a text. */
  private final Map<String, Card> cards = new HashMap<>();

  /** What a description was made of. */
  private record Card(
      Node node,
      ClusterObject object,
      ResourceTable resources,
      NodeRecord.NodeCondition state,
      RecordExpression attributes) {

    boolean isOf(NodeState now, ResourceTable table, NodeRecord.NodeCondition is) {
      return node == now.node() && object == now.object() && resources == table && state.equals(is);
    }
  }

  /**
   * @param scheduler name of the scheduler object
   */
  public ReservableBook(String scheduler, NodeTable nodes) {
    this.scheduler = scheduler;
    this.nodes = nodes;
  }

  /** A cluster object was written; true when another text counts than before. */
  public boolean written(ClusterObject object) {
    if (object.getKind() == ObjectKind.SERVER) {
      serverObject = object;
    } else if (object.getKind() == ObjectKind.SCHEDULER && object.getName().equals(scheduler)) {
      schedulerObject = object;
    } else {
      return false;
    }
    LoadedRule before = rule;
    rule = inForce.of(schedulerObject, serverObject);
    if (rule == null) {
      cards.clear();
    }
    return rule != before;
  }

  /** The text that counts; null when there is none. */
  public LoadedRule rule() {
    return rule;
  }

  /** A reservation after a change. */
  public void reservation(Reservation record) {
    present.remove(record.getNumber());
    ReservationState state = record.getState();
    if (state != ReservationState.FINISHED && state != ReservationState.DELETED) {
      ReservedTimes times = ReservedTimes.of(record);
      if (!times.times().isEmpty()) {
        present.put(record.getNumber(), times);
      }
    } else if (!record.getForget()) {
      over(ReservedTimes.ended(record, record.getModifiedMs()));
    }
  }

  /** A reservation that has ended and is still known. */
  public void past(PastReservation known) {
    over(ReservedTimes.of(known));
  }

  private void over(ReservedTimes times) {
    // Those without any time are counted too: the shard keeps so many in all.
    past.put(times.number(), times);
    if (past.size() > ReservedTimes.PAST_MAX) {
      past.pollFirstEntry();
    }
  }

  public void forgotten(long number) {
    past.remove(number);
  }

  /**
   * What users have reserved.
   *
   * @param but the number of a reservation that does not count
   * @param steps to which it counts that they are looked through
   */
  public Utilisation utilisation(long but, StepSum steps) {
    return (owner, from, to) -> {
      List<ReservedTimes> all = new ArrayList<>(past.values());
      present.values().stream().filter(it -> it.number() != but).forEach(all::add);
      steps.looked(all.size());
      return ReservedTimes.sum(all, owner, from, to);
    };
  }

  /** How many runs each node has, by its name; nodes without any are left out. */
  public static Map<String, Integer> runs(AllocationBook holdings) {
    Map<String, Integer> runs = new HashMap<>();
    for (long number : holdings.numbers()) {
      if (number > 0) { // the others are reservations
        // A run may have several parts of a node: one for each kind of its chunks.
        Set<String> names = new HashSet<>();
        for (NodeAllocation take : holdings.get(number).held().takes()) {
          if (names.add(take.node().name())) {
            runs.merge(take.node().name(), 1, Integer::sum);
          }
        }
      }
    }
    return runs;
  }

  /**
   * A node as a text sees it; null for one that no executor has served yet.
   *
   * @param runs as {@link #runs} tells
   */
  public RecordExpression described(NodeState node, Map<String, Integer> runs) {
    if (node.node() == null) {
      return null;
    }
    NodeRecord.NodeCondition now =
        NodeDescription.now(node.node(), runs.getOrDefault(node.name(), 0), node.load());
    Card known = cards.get(node.name());
    if (known == null || !known.isOf(node, nodes.resources(), now)) {
      RecordExpression attributes =
          NodeDescription.of(node.node(), node.object(), nodes.resources(), now).attributes();
      known = new Card(node.node(), node.object(), nodes.resources(), now, attributes);
      cards.put(node.name(), known);
    }
    return known.attributes();
  }

  /** All nodes of a partition, by name. */
  public List<RecordExpression> all(String partition, Map<String, Integer> runs) {
    List<RecordExpression> all = new ArrayList<>();
    for (NodeState node : nodes.all()) {
      boolean here =
          node.object() != null
              && ObjectAttributes.text(node.object(), "partition", DefaultNames.PARTITION)
                  .equals(partition);
      RecordExpression one = here ? described(node, runs) : null;
      if (one != null) {
        all.add(one);
      }
    }
    return all;
  }
}
