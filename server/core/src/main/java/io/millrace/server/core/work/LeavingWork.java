package io.millrace.server.core.work;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;

/** Has handed over what is here and belongs elsewhere. */
public final class LeavingWork {
  /** Name of the work; the cursor is empty for all there is, or begins with one of the others. */
  public static final String WORK = "leaving";

  /** Cursor prefix for one job, by its id. */
  public static final String JOB = "job/";

  /** Cursor prefix for one node, by its name. */
  public static final String NODE = "node/";

  private LeavingWork() {}

  /** Looks at all that is here: a change of objects may have moved anything. */
  public static void all(Context c, Decision decision) {
    decision.goOn(c, WORK, "");
  }

  /** Looks at a job. */
  public static void job(Context c, String jobId, Decision decision) {
    decision.goOn(c, WORK, JOB + jobId);
  }

  /** Looks at a node. */
  public static void node(Context c, String name, Decision decision) {
    decision.goOn(c, WORK, NODE + name);
  }

  /** After a run's end: a job that waits again may have a queue that moved. */
  public static void check(Context c, Job job, Decision decision) {
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    if (queue != null && misplaced(c, queue)) {
      job(c, job.getId(), decision);
    }
  }

  /** After a run's end: a node may have been waited for. */
  public static void checkNode(Context c, String name, Decision decision) {
    ClusterObject object = PartitionTable.node(c.view(), name);
    if (object == null || misplaced(c, object)) {
      node(c, name, decision);
    }
  }

  /** Whether a queue or node belongs to another shard. */
  public static boolean misplaced(Context c, ClusterObject queueOrNode) {
    int shard = PartitionTable.shardOf(c.view(), queueOrNode);
    return shard >= 0 && shard != c.shard();
  }
}
