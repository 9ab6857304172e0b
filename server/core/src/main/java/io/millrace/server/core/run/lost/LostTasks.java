package io.millrace.server.core.run.lost;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.RunTask;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.run.finished.RunEndEffects;
import io.millrace.server.core.run.finished.TaskEnds;
import io.millrace.server.core.run.task.Tasks;
import java.util.function.Predicate;

/**
 * Gives up the tasks that a run has on a lost node, as if the host had reported that it does not
 * know them. One at a time: the last of them may end the run.
 */
public final class LostTasks {
  /** Name of the continued work; its cursor is a job, a run, a task and its node. */
  public static final String WORK = "lost-task";

  private LostTasks() {}

  /**
   * @return how many the node has of the run
   */
  static int of(Context c, Job job, String node, Decision decision) {
    return tell(
        c,
        job,
        node,
        task -> job.getAllocation().getShares().get(task.getShare()).getNode().equals(node),
        decision);
  }

  /**
   * Gives up all tasks of a run whose script was on the lost node.
   *
   * @return how many there are
   */
  static int all(Context c, Job job, String node, Decision decision) {
    return tell(c, job, node, task -> true, decision);
  }

  private static int tell(
      Context c, Job job, String node, Predicate<RunTask> which, Decision decision) {
    if (job.getTasks() == null) {
      return 0;
    }
    int found = 0;
    for (RunTask task : job.getTasks().getLive()) {
      if (which.test(task)) {
        String cursor =
            String.join(" ", job.getId(), job.getRun() + "", task.getNumber() + "", node);
        decision.goOn(c, WORK, cursor);
        found++;
      }
    }
    return found;
  }

  static Decision go(Context c, String cursor) {
    String[] words = cursor.split(" ", 4);
    Job job = RunEndEffects.current(c, words[0], Integer.parseInt(words[1]));
    if (job == null || !LostRuns.lost(c.view().nodes().get(words[3]))) {
      return Decision.none();
    }
    RunTask task = Tasks.find(job, Integer.parseInt(words[2]));
    if (task == null) {
      return Decision.none();
    }
    String why = "execution node " + words[3] + " down";
    Decision decision = TaskEnds.missing(c, job, task.getNumber(), why);
    Orders.discard(c, job, task, decision); // in case its host comes back
    return decision;
  }
}
