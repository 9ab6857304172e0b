package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.state.node.NodeState;

/** Which nodes a reservation may take, of those on which it has room. */
public interface NodeGate {

  /** Nodes are looked for anew: what was allowed before is not taken. */
  void restart();

  /** Whether a node may be taken; one that may is taken. */
  boolean allows(NodeState node);

  /** A node is the reservation's, whatever holds for others. */
  void has(NodeState node);

  /** Lets all pass. */
  NodeGate OPEN =
      new NodeGate() {
        @Override
        public void restart() {}

        @Override
        public boolean allows(NodeState node) {
          return true;
        }

        @Override
        public void has(NodeState node) {}
      };
}
