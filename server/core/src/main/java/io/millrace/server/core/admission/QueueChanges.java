package io.millrace.server.core.admission;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.server.core.decision.Context;

/** Which kind of admission applies when a job goes from one queue of this shard to another. */
public final class QueueChanges {
  private QueueChanges() {}

  /** A move that somebody asked for. */
  public static JobAdmission.AdmissionSource moved(Context c, String from, ClusterObject queue) {
    return c.isManager() || from.equals(queue.getName())
        ? JobAdmission.AdmissionSource.PUT
        : JobAdmission.AdmissionSource.MOVED;
  }
}
