package io.millrace.server.core.node;

import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.fact.NodeRemoved;
import io.millrace.schemas.fact.NodeWentDown;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.State;

/** Applies the coming and going of nodes, and of what is heard of them. */
public final class Appliers {

  public void apply(State state, NodeCameUp fact) {
    Node node = Copies.of(state.nodes().get(fact.getName()));
    if (!node.getUp()) {
      node.setStateSinceMs(fact.getMeta().getAtMs());
    }
    node.setHost(fact.getHost());
    node.setUp(true);
    node.setBootId(fact.getBootId());
    node.setMeasured(fact.getMeasured());
    node.setExecutor(fact.getExecutor());
    node.setIncarnation(fact.getIncarnation());
    node.setHeartbeatS(fact.getHeartbeatS());
    node.setDownWhy("");
    state.nodes().put(node.getName(), node);
  }

  public void apply(State state, NodeWentDown fact) {
    Node node = Copies.of(state.nodes().get(fact.getName()));
    node.setUp(false);
    node.setStateSinceMs(fact.getMeta().getAtMs());
    node.setDownWhy(fact.getWhy());
    state.nodes().put(node.getName(), node);
  }

  public void apply(State state, NodeRemoved fact) {
    state.nodes().remove(fact.getName());
  }
}
