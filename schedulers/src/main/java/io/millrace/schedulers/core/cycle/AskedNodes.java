package io.millrace.schedulers.core.cycle;

import io.millrace.reservations.classad.asked.NodesAsked;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.schedulers.core.search.NodeGate;
import io.millrace.schedulers.core.state.node.NodeState;
import java.util.function.Function;

/** Asks the administrator's text of each node that a reservation would take. */
final class AskedNodes implements NodeGate {

  private final NodesAsked asked;
  private final Function<NodeState, RecordExpression> described;
  private String refusal = "";

  AskedNodes(NodesAsked asked, Function<NodeState, RecordExpression> described) {
    this.asked = asked;
    this.described = described;
  }

  @Override
  public void restart() {
    asked.restart();
  }

  @Override
  public boolean allows(NodeState node) {
    RecordExpression seen = described.apply(node);
    String why = seen == null ? "it has never been up" : asked.refusal(node.name(), seen);
    if (refusal.isEmpty() && !why.isEmpty()) {
      refusal = why + " for " + node.name();
    }
    return why.isEmpty();
  }

  @Override
  public void has(NodeState node) {
    RecordExpression seen = described.apply(node);
    if (seen != null) {
      asked.has(node.name(), seen);
    }
  }

  /** What was said of the first node that was refused; empty when none was. */
  String refusal() {
    return refusal;
  }
}
