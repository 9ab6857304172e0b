package io.millrace.schedulers.core.state.node;

/** The nodes among which one stands, as it knows them itself. */
interface NodePool {

  /** So much else is free on the node than before. */
  void freeChanged(NodeState node);

  /** Nodes among them have more free than before from some time on. */
  void gained(GainLog.Gain gain);
}
