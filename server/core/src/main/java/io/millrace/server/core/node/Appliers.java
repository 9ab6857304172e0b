package io.millrace.server.core.node;

import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.fact.NodeRemoved;
import io.millrace.schemas.fact.NodeWentDown;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.Copies;
import io.millrace.server.core.State;
import io.millrace.server.core.shard.Timers;
import java.util.List;
import java.util.Map;

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
    if (fact.getRequeueMs() >= 0) { // in ledgers that were begun before pulses counted
      Timers.set(state, fact.getRequeueMs(), Timers.NODE_LOST, node.getName());
    }
  }

  public void apply(State state, NodeRemoved fact) {
    state.nodes().remove(fact.getName());
  }

  /** A node that no executor has spoken for. */
  public static Node fresh(String name, String host) {
    return Node.newBuilder()
        .setName(name)
        .setHost(host)
        .setMeasured(Map.of())
        .setHoldings(List.of())
        .setSuspended(List.of())
        .build();
  }
}
