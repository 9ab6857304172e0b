package io.millrace.server.core.run.finished;

import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.TaskEnded;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.RunTask;
import io.millrace.schemas.state.RunTasks;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.run.task.Tasks;
import io.millrace.server.core.run.task.Usages;
import io.millrace.server.core.state.CutText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Decides the end of a task: the answer to the command that waits for it, and perhaps the end of
 * its run.
 */
public final class TaskEnds {
  /**
   * Bytes of output that are remembered with an answer, for a command that is repeated. More of it
   * is given once: answers stay in the shard's memory for a quarter of an hour, and in the ledger.
   */
  static final int OUTPUT_KEPT_MAX = 4096;

  private TaskEnds() {}

  static Decision reported(Context c, Job job, ReportRunFinished report) {
    RunTask task = Tasks.find(job, report.getTask());
    if (task == null) {
      return Decision.none(); // told before
    }
    List<String> answer =
        List.of(
            Integer.toString(report.getExitStatus()),
            CutText.line(report.getMessage(), Deciders.MESSAGE_MAX),
            printed(report.getOutput()),
            printed(report.getError()));
    return ended(c, job, task, report.getUsed(), answer);
  }

  /** Ends a task that its host does not know. */
  public static Decision missing(Context c, Job job, int number, String why) {
    RunTask task = Tasks.find(job, number);
    if (task == null) {
      return Decision.none();
    }
    List<String> answer = List.of(Integer.toString(ExitStatus.UNKNOWN), why, "", "");
    return ended(c, job, task, Usages.NOTHING, answer);
  }

  private static Decision ended(Context c, Job job, RunTask task, Usage used, List<String> answer) {
    int exitStatus = Integer.parseInt(answer.get(0));
    Decision decision =
        Decision.none()
            .fact(
                new TaskEnded(
                    c.stamp(),
                    job.getId(),
                    job.getRun(),
                    task.getNumber(),
                    exitStatus,
                    used,
                    answer.get(1)));
    CommandMeta waiting = task.getWaiting();
    if (waiting != null) {
      decision.answer(waiting, 0, answer, kept(answer));
    }
    RunTasks tasks = job.getTasks();
    if (tasks.getEnding() != null && tasks.getLive().size() == 1) {
      Usage all = Usages.sum(tasks.getUsed(), used);
      RunCompletion.conclude(c, job, tasks.getEnding(), all, decision);
    }
    return decision;
  }

  private static List<String> kept(List<String> answer) {
    int bytes = answer.get(2).length() + answer.get(3).length();
    if (bytes <= OUTPUT_KEPT_MAX) {
      return answer;
    }
    String why = "what it printed (" + bytes + " bytes) was told once and is not kept";
    String message = answer.get(1).isEmpty() ? why : answer.get(1) + "; " + why;
    return List.of(answer.get(0), message, "", "");
  }

  /**
   * Bytes as text, one character for each: answers consist of text, and a program may print any
   * bytes.
   */
  private static String printed(ByteBuffer bytes) {
    return StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString();
  }
}
