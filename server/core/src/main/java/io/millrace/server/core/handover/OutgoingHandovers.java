package io.millrace.server.core.handover;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.NodeRemoved;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.handover.message.HandoverOffers;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.LeavingWork;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Hands over what is here and belongs to another shard: idle nodes and waiting jobs. A busy node or
 * a running job goes when its run ends; an array goes when its last run has ended, and the history
 * of its subjobs stays.
 */
public final class OutgoingHandovers {
  /** Cursor prefix for arrays whose queue is here again. */
  static final String BACK = "back/";

  private static final int JOBS_AT_ONCE = 50;
  private static final int LOOKED_AT_ONCE = 2000;

  private OutgoingHandovers() {}

  static Decision go(Context c, String cursor) {
    Decision decision = Decision.none();
    if (cursor.startsWith(LeavingWork.NODE)) {
      leave(c, c.view().nodes().get(cursor.substring(LeavingWork.NODE.length())), decision);
    } else if (cursor.startsWith(LeavingWork.JOB)) {
      leave(c, c.job(cursor.substring(LeavingWork.JOB.length())), decision);
    } else if (cursor.startsWith(BACK)) {
      back(c, cursor.substring(BACK.length()), decision);
    } else {
      if (cursor.isEmpty()) {
        allNodes(c, decision);
      }
      jobs(c, cursor, decision);
    }
    return decision;
  }

  private static void allNodes(Context c, Decision decision) {
    c.view()
        .nodes()
        .scan(
            "",
            null,
            (name, node) -> {
              leave(c, node, decision);
              boolean full = decision.facts().size() >= JOBS_AT_ONCE;
              if (full) {
                decision.goOn(c, LeavingWork.WORK, "");
              }
              return !full;
            });
  }

  private static void leave(Context c, Node node, Decision decision) {
    if (node == null || node.getOfferedTo() >= 0 || JobRecords.runs(node) > 0) {
      return;
    }
    ClusterObject object = PartitionTable.node(c.view(), node.getName());
    if (object == null) {
      decision.fact(new NodeRemoved(c.stamp(), node.getName()));
    } else if (LeavingWork.misplaced(c, object)) {
      HandoverOffers.offer(c, node, PartitionTable.shardOf(c.view(), object), decision);
    }
  }

  private static void leave(Context c, Job job, Decision decision) {
    if (job == null || (job.getStatus() != JobStatus.QUEUED && job.getStatus() != JobStatus.HELD)) {
      return;
    }
    if (JobNumbers.isSubjob(job.getNumber())) {
      return;
    }
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    if (queue != null && LeavingWork.misplaced(c, queue)) {
      Job closed = SubjobWindow.closed(c, job, decision);
      if (!ArrayStates.is(job) || job.getArray().getBegun().isEmpty()) {
        int shard = PartitionTable.shardOf(c.view(), queue);
        HandoverOffers.offer(c, closed, shard, queue.getName(), null, decision);
      }
    }
  }

  /** A queue has come back: arrays that were to leave with their last run begin subjobs again. */
  private static void back(Context c, String cursor, Decision decision) {
    Set<String> queues = new HashSet<>();
    c.view()
        .queues()
        .scan(
            "",
            null,
            (name, counts) -> {
              ClusterObject queue = PartitionTable.queue(c.view(), name);
              boolean begun = counts.getCounts().getOrDefault(JobRecords.BEGUN, 0L) > 0;
              if (queue != null && begun && !LeavingWork.misplaced(c, queue)) {
                queues.add(name);
              }
              return true;
            });
    if (queues.isEmpty()) {
      return;
    }
    int[] looked = {0};
    c.view()
        .jobs()
        .scan(
            cursor,
            null,
            (key, job) -> {
              boolean full = decision.messages().size() == JOBS_AT_ONCE;
              if (full || looked[0]++ == LOOKED_AT_ONCE) {
                decision.goOn(c, LeavingWork.WORK, BACK + key);
                return false;
              }
              if (queues.contains(job.getSpec().getQueue())) {
                ArrayWork.soon(c, job, decision);
              }
              return true;
            });
  }

  /** Of the jobs that are looked at together, the first in the order are offered first. */
  private static void jobs(Context c, String cursor, Decision decision) {
    Set<String> queues = new HashSet<>();
    c.view()
        .queues()
        .scan(
            "",
            null,
            (name, counts) -> {
              ClusterObject queue = PartitionTable.queue(c.view(), name);
              long waiting =
                  counts.getCounts().getOrDefault(JobStatus.QUEUED.name(), 0L)
                      + counts.getCounts().getOrDefault(JobStatus.HELD.name(), 0L)
                      + counts.getCounts().getOrDefault(JobRecords.BEGUN, 0L)
                      + counts.getCounts().getOrDefault(JobRecords.WAITING, 0L);
              if (queue != null && waiting > 0 && LeavingWork.misplaced(c, queue)) {
                queues.add(name);
              }
              return true;
            });
    if (queues.isEmpty()) {
      return;
    }
    List<Job> found = new ArrayList<>();
    String[] next = {null};
    int[] looked = {0};
    c.view()
        .jobs()
        .scan(
            cursor,
            null,
            (key, job) -> {
              if (looked[0]++ == LOOKED_AT_ONCE) {
                next[0] = key;
                return false;
              }
              if (queues.contains(job.getSpec().getQueue())) {
                found.add(job);
              }
              return true;
            });
    // The other shard gives them ranks in the order in which they arrive.
    found.sort(Comparator.comparingLong(Job::getRank));
    int most = decision.facts().size() + JOBS_AT_ONCE;
    for (Job job : found) {
      if (decision.facts().size() >= most) {
        // The next round passes over jobs that are already offered.
        next[0] = cursor.isEmpty() ? Keys.number(0) : cursor;
        break;
      }
      leave(c, job, decision);
    }
    if (next[0] != null) {
      decision.goOn(c, LeavingWork.WORK, next[0]);
    }
  }
}
