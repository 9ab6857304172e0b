package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schemas.common.NodeShare;
import java.util.List;

/** A job that is to start now, and what it gets of each node. */
public record Start(long jobNumber, JobAllocation held, ResourceNames names) {

  public List<NodeShare> shares() {
    return held.shares(names);
  }
}
