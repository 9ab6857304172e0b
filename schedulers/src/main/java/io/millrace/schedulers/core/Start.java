package io.millrace.schedulers.core;

import io.millrace.schemas.common.NodeShare;
import java.util.List;

/** A job that is to start now, and what it gets of each node. */
public record Start(long jobNumber, Held held, ResourceNames names) {

  public List<NodeShare> shares() {
    return held.shares(names);
  }
}
