package io.millrace.server.core.work;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;

/** Starts the hand-over of what is here and belongs to another shard. */
public final class LeavingWork {
  /**
   * Name of the work; the cursor is empty for everything, or begins with one of the prefixes below.
   */
  public static final String WORK = "leaving";

  /** Cursor prefix for one job, by its id. */
  public static final String JOB = "job/";

  /** Cursor prefix for one node, by its name. */
  public static final String NODE = "node/";

  private LeavingWork() {}

  /** Checks everything in this shard, after a change of objects. */
  public static void all(Context c, Decision decision) {
    decision.goOn(c, WORK, "");
  }

  /** Checks one job. */
  public static void job(Context c, String jobId, Decision decision) {
    decision.goOn(c, WORK, JOB + jobId);
  }

  /** Checks one node. */
  public static void node(Context c, String name, Decision decision) {
    decision.goOn(c, WORK, NODE + name);
  }

  /** Checks a requeued job, whose queue may have moved to another shard while it ran. */
  public static void check(Context c, Job job, Decision decision) {
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    if (queue != null && misplaced(c, queue)) {
      job(c, job.getId(), decision);
    }
  }

  /** Checks a node after a run's end, whose hand-over may have waited for it. */
  public static void checkNode(Context c, String name, Decision decision) {
    ClusterObject object = PartitionTable.node(c.view(), name);
    if (object == null || misplaced(c, object)) {
      node(c, name, decision);
    }
  }

  /** Whether a queue or node belongs to another shard; that of a reservation never does. */
  public static boolean misplaced(Context c, ClusterObject queueOrNode) {
    if (Reservations.ofQueue(c.view(), queueOrNode.getName()) != null) {
      return false;
    }
    int shard = PartitionTable.shardOf(c.view(), queueOrNode);
    return shard >= 0 && shard != c.shard();
  }
}
