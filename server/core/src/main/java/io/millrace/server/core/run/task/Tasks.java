package io.millrace.server.core.run.task;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.RunTask;
import io.millrace.schemas.state.RunTasks;

/** Questions about the tasks of a job's run. */
public final class Tasks {
  private Tasks() {}

  /** The task with this number that has not ended; null when there is none. */
  public static RunTask find(Job job, int number) {
    RunTasks tasks = job.getTasks();
    return tasks == null
        ? null
        : tasks.getLive().stream()
            .filter(task -> task.getNumber() == number)
            .findFirst()
            .orElse(null);
  }

  /** Whether the run's script is over and its tasks are being ended. */
  public static boolean ending(Job job) {
    return job.getTasks() != null && job.getTasks().getEnding() != null;
  }

  /** Whether a task of the job has not ended whose end this command waits for. */
  static boolean waits(Job job, CommandId command) {
    RunTasks tasks = job.getTasks();
    return tasks != null
        && tasks.getLive().stream()
            .anyMatch(t -> t.getWaiting() != null && t.getWaiting().getId().equals(command));
  }
}
