package io.millrace.schedulers.core.state.node;

/** The pool of a node, as the node itself sees it. */
public interface NodePool {

  /** The free amounts of the node have changed. */
  void freeChanged(NodeState node);

  /** Nodes of the pool have more free than before from some time on. */
  void gained(GainLog.Gain gain);
}
