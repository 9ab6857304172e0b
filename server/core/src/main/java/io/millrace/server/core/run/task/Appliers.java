package io.millrace.server.core.run.task;

import io.millrace.schemas.fact.RunEnding;
import io.millrace.schemas.fact.TaskEnded;
import io.millrace.schemas.fact.TaskOrdered;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.RunTask;
import io.millrace.schemas.state.RunTasks;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import java.util.ArrayList;
import java.util.List;

/** Applies beginnings and ends of tasks. */
public final class Appliers {

  public void apply(State state, TaskOrdered fact) {
    Job before = job(state, fact.getJobId());
    RunTasks tasks = copy(before.getTasks());
    List<RunTask> live = new ArrayList<>(tasks.getLive());
    live.add(fact.getTask());
    tasks.setLive(live);
    tasks.setOrderedBy(TaskCommandMemory.with(tasks, fact.getMeta().getCause()));
    tasks.setLast(fact.getTask().getNumber());
    put(state, before, Copies.of(before), tasks);
  }

  public void apply(State state, TaskEnded fact) {
    Job before = job(state, fact.getJobId());
    RunTasks tasks = copy(before.getTasks());
    List<RunTask> live = new ArrayList<>(tasks.getLive());
    live.removeIf(task -> task.getNumber() == fact.getTask());
    tasks.setLive(live);
    tasks.setUsed(Usages.sum(tasks.getUsed(), fact.getUsed()));
    put(state, before, Copies.of(before), tasks);
  }

  public void apply(State state, RunEnding fact) {
    Job before = job(state, fact.getJobId());
    String detail = "run " + fact.getRun() + ", " + before.getTasks().getLive().size() + " tasks";
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "ending", detail);
    after.setStatus(JobStatus.EXITING);
    RunTasks tasks = copy(before.getTasks());
    tasks.setEnding(fact.getEnd());
    put(state, before, after, tasks);
  }

  private static void put(State state, Job before, Job after, RunTasks tasks) {
    after.setTasks(tasks);
    JobRecords.replace(state, before, after);
  }

  private static RunTasks copy(RunTasks tasks) {
    return tasks == null
        ? RunTasks.newBuilder().setUsed(Usages.NOTHING).build()
        : new RunTasks(
            tasks.getLast(),
            tasks.getLive(),
            tasks.getUsed(),
            tasks.getEnding(),
            tasks.getOrderedBy());
  }

  private static Job job(State state, String id) {
    return state.jobs().get(Keys.number(Keys.jobNumber(id)));
  }
}
