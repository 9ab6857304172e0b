package io.millrace.server.core.run.lost;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.jobs.WrittenSteps;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.run.finished.RunEndEffects;
import io.millrace.server.core.run.task.Tasks;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.work.ForcedEnd;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Gives up the runs that began on a node of which nothing was heard for as long as the server's
 * attributes max_unheard and node_fail_requeue say. The silence is measured by the owner of the
 * shard, since shard time also passes while no heartbeat could be heard. A run that has its script
 * on another node goes on without its tasks on the lost one; so does one whose script has ended,
 * which must not run again.
 */
public final class LostRuns {
  /** Name of the continued work; its cursor is the executor that is lost, and a node. */
  public static final String WORK = "lost-runs";

  /** Each may release several jobs that depend on it. */
  private static final int RUNS_AT_ONCE = 16;

  private LostRuns() {}

  /** Begins to give up the runs of a node whose executor is lost. */
  public static void begin(Context c, Node node, Decision decision) {
    if (lost(node)) {
      go(c, node, decision);
    }
  }

  private static void go(Context c, Node node, Decision decision) {
    String cursor = node.getExecutor() + " " + node.getName();
    decision.goOn(c, WORK, cursor);
  }

  /** Goes on; nothing to do when another executor has taken the node over since. */
  static Decision go(Context c, String cursor) {
    Decision decision = Decision.none();
    int space = cursor.indexOf(' ');
    Node node = c.view().nodes().get(cursor.substring(space + 1));
    if (lost(node) && node.getExecutor().equals(cursor.substring(0, space))) {
      giveUp(c, node, decision);
    }
    return decision;
  }

  /** The cursor is a job, its run, and whether its tasks were ended already. */
  static Decision goForced(Context c, String cursor) {
    Decision decision = Decision.none();
    String[] words = cursor.split(" ");
    Job job = RunEndEffects.current(c, words[0], Integer.parseInt(words[1]));
    if (job == null || job.getKilling() == KillPurpose.NONE) {
      return decision;
    }
    Node node = c.view().nodes().get(job.getAllocation().getShares().get(0).getNode());
    if (Tasks.ending(job) || !lost(node)) {
      // Its script has ended or will end in the usual way; only its tasks on the lost host have to
      // be given up.
      lostNodes(c, job).forEach(name -> LostTasks.of(c, job, name, decision));
      return decision;
    }
    if (words[2].equals(ForcedEnd.FIRST) && LostTasks.all(c, job, node.getName(), decision) > 0) {
      // The commands that wait for its tasks are answered first.
      ForcedEnd.ask(c, job, "last", decision);
      return decision;
    }
    boolean rerun = job.getKilling() == KillPurpose.RERUN;
    boolean again = rerun && !WrittenSteps.runsOnce(job.getSpec());
    String why = "by force, execution node " + node.getName() + " down";
    if (again) {
      RunEndEffects.requeue(c, job, ExitStatus.RERUN, "rerun " + why, decision);
    } else if (rerun) {
      RunEndEffects.unknown(c, job, ExitStatus.NODE_FAILED, "ended " + why, decision);
    } else {
      RunEndEffects.unknown(c, job, ExitStatus.TERMINATED, "deleted " + why, decision);
    }
    RunEndEffects.leave(c, job, again, decision);
    Orders.discard(c, job, node.getExecutor(), decision);
    return decision;
  }

  private static Set<String> lostNodes(Context c, Job job) {
    Set<String> names = new LinkedHashSet<>();
    for (NodeShare share : job.getAllocation().getShares()) {
      if (lost(c.view().nodes().get(share.getNode()))) {
        names.add(share.getNode());
      }
    }
    return names;
  }

  static boolean lost(Node node) {
    return node != null && !node.getUp() && JobRecords.runs(node) > 0;
  }

  private static void giveUp(Context c, Node node, Decision decision) {
    List<Holding> all = new ArrayList<>(node.getHoldings());
    all.addAll(node.getSuspended());
    Set<Long> looked = new HashSet<>();
    Set<Long> arrays = new HashSet<>();
    int given = 0;
    boolean left = false;
    for (Holding holding : all) {
      // A node is listed twice in an allocation when two chunks lie on it, and so is its holding.
      Job job =
          looked.add(holding.getNumber())
              ? RunEndEffects.current(c, holding.getJobId(), holding.getRun())
              : null;
      if (job == null) {
        continue;
      }
      if (given >= RUNS_AT_ONCE) {
        go(c, node, decision);
        return;
      }
      boolean begun = job.getAllocation().getShares().get(0).getNode().equals(node.getName());
      int tasks = begun && !Tasks.ending(job) ? LostTasks.all(c, job, node.getName(), decision) : 0;
      if (tasks > 0) {
        // The commands that wait for its tasks are answered first; then the run is given up.
        given += tasks;
        left = true;
      } else if (begun && !Tasks.ending(job)) {
        if (JobNumbers.isSubjob(job.getNumber())
            && !arrays.add(JobNumbers.array(job.getNumber()))) {
          // Each needs the state of the array after the one before.
          go(c, node, decision);
          return;
        }
        given++;
        giveUp(c, node, job, decision);
      } else {
        given += LostTasks.of(c, job, node.getName(), decision);
      }
    }
    if (left) {
      go(c, node, decision);
    }
  }

  /**
   * It is not certain that the run never started: a job that is not rerunnable ends, unless an
   * operator forces its rerun.
   */
  private static void giveUp(Context c, Node node, Job job, Decision decision) {
    String why = "execution node " + node.getName() + " down";
    boolean wanted =
        job.getKilling() == KillPurpose.RERUN
            || (job.getKilling() == KillPurpose.NONE && job.getSpec().getRerunnable());
    boolean again = wanted && !WrittenSteps.runsOnce(job.getSpec());
    if (again) {
      RunEndEffects.requeue(c, job, ExitStatus.NODE_FAILED, why, decision);
    } else {
      RunEndEffects.unknown(c, job, ExitStatus.NODE_FAILED, why, decision);
    }
    RunEndEffects.leave(c, job, again, decision);
    Orders.discard(c, job, node.getExecutor(), decision);
  }
}
