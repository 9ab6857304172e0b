package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.core.decision.Context;

/** Which queues have jobs that use what others leave. */
public final class BestEffortQueue {
  private BestEffortQueue() {}

  /**
   * @param queue null for one that is not known
   */
  public static boolean is(ClusterObject queue) {
    return queue != null && Context.attribute(queue, AttributeTable.BEST_EFFORT, "").equals("True");
  }
}
