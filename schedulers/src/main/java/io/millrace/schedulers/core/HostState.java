package io.millrace.schedulers.core;

import java.util.ArrayList;
import java.util.List;

/** A host, which may have several nodes. */
final class HostState {

  final int id;
  final String name;
  final List<NodeState> nodes = new ArrayList<>(1);

  /** Runs and proposals on any node of the host. */
  int holders;

  /** Those of them that want the host for themselves. */
  int exclusive;

  HostState(int id, String name) {
    this.id = id;
    this.name = name;
  }
}
