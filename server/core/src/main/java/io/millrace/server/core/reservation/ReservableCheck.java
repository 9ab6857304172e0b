package io.millrace.server.core.reservation;

import io.millrace.reservations.classad.asked.LoadedRule;
import io.millrace.reservations.classad.asked.NodeDescription;
import io.millrace.reservations.classad.asked.NodesAsked;
import io.millrace.reservations.classad.asked.ReservedTimes;
import io.millrace.reservations.classad.asked.RuleInForce;
import io.millrace.reservations.classad.asked.StepSum;
import io.millrace.reservations.classad.plus.Utilisation;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Keys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks an administrator's text ({@code reservable.ad}) of each node that a scheduler proposes for a
 * reservation, whatever the scheduler has asked. A node that the reservation keeps while another is
 * replaced is not asked about again.
 */
final class ReservableCheck {

  private final Context c;
  private final Reservation before;
  private final LoadedRule rule;
  private final ResourceTable resources;
  private final Map<String, RecordExpression> described = new HashMap<>();

  /** For all nodes of all occurrences: the decision is made while others wait. */
  private final StepSum steps = new StepSum();

  /** What users have reserved, by owner; read when a text asks for it. */
  private final Map<String, List<ReservedTimes>> reserved = new HashMap<>();

  /** The nodes of the partition; null while no text has looked at them. */
  private List<RecordExpression> all;

  ReservableCheck(Context c, Reservation before, String scheduler, RuleInForce rules) {
    this.c = c;
    this.before = before;
    this.rule =
        rules.of(
            PartitionTable.scheduler(c.view(), scheduler),
            c.view().objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER)));
    this.resources = rule == null ? null : CustomResources.with(c.view());
  }

  /**
   * @param placed the record as it is to be, with all of its occurrences
   */
  void check(Reservation placed) throws PbsRefusal {
    if (rule == null) {
      return;
    }
    ReservationSpec spec = placed.getSpec();
    boolean replaced = before.getAsked() == null;
    ask(spec, spec.getStartMs(), placed.getShares(), replaced ? names(before) : Set.of());
    for (int i = 0; i < placed.getLies().size() && before.getShares().isEmpty(); i++) {
      int lies = placed.getLies().get(i);
      ask(spec, spec.getLaterMs().get(i), placed.getPlacements().get(lies).getShares(), Set.of());
    }
  }

  private static Set<String> names(Reservation reservation) {
    Set<String> names = new HashSet<>();
    reservation.getShares().forEach(it -> names.add(it.getNode()));
    return names;
  }

  private void ask(ReservationSpec spec, long startMs, List<NodeShare> shares, Set<String> kept)
      throws PbsRefusal {
    long endMs = startMs + spec.getEndMs() - spec.getStartMs();
    NodesAsked asked =
        new NodesAsked(
            rule,
            new NodesAsked.Enquiry(before.getNumber(), spec.getOwner(), startMs, endMs, c.nowMs()),
            () -> all(spec.getPartition()),
            this::reserved,
            steps);
    for (NodeShare share : shares) {
      String name = share.getNode();
      Node node = c.view().nodes().get(name);
      RecordExpression seen = described(node, PartitionTable.node(c.view(), name));
      if (kept.contains(name)) {
        asked.has(name, seen);
        continue;
      }
      String why = asked.refusal(name, seen);
      if (!why.isEmpty()) {
        throw new PbsRefusal(PbsError.NOT_RESERVABLE, " " + name + ": " + why);
      }
    }
  }

  private RecordExpression described(Node node, ClusterObject object) {
    return described.computeIfAbsent(
        node.getName(), it -> NodeDescription.of(node, object, resources).attributes());
  }

  private List<RecordExpression> all(String partition) {
    if (all != null) {
      return all;
    }
    List<RecordExpression> found = new ArrayList<>();
    Nodes.each(
        c.view(),
        ObjectKind.NODE,
        object -> {
          Node node = c.view().nodes().get(object.getName());
          if (node != null && PartitionTable.partitionOf(object).equals(partition)) {
            found.add(described(node, object));
          }
        });
    all = found;
    return found;
  }

  private Utilisation.ReservationSum reserved(String owner, Instant from, Instant to) {
    List<ReservedTimes> his = reserved.get(owner);
    if (his == null) {
      his = reservedBy(owner);
      reserved.put(owner, his);
    }
    steps.looked(his.size());
    return ReservedTimes.sum(his, owner, from, to);
  }

  private List<ReservedTimes> reservedBy(String owner) {
    int[] looked = {0};
    List<ReservedTimes> all = new ArrayList<>();
    c.view()
        .table(Reservation.class)
        .each(
            it -> {
              looked[0]++;
              if (it.getNumber() != before.getNumber() && it.getSpec().getOwner().equals(owner)) {
                all.add(ReservedTimes.of(it));
              }
            });
    c.view()
        .table(PastReservation.class)
        .each(
            it -> {
              looked[0]++;
              if (it.getReservation().getSpec().getOwner().equals(owner)) {
                all.add(ReservedTimes.of(it));
              }
            });
    steps.looked(looked[0]);
    return all;
  }
}
