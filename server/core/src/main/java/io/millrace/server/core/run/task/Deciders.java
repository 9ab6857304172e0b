package io.millrace.server.core.run.task;

import io.millrace.schemas.command.LaunchTask;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.fact.TaskOrdered;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.NodeFile;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.RunTask;
import io.millrace.schemas.state.RunTasks;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.answer.AnswerMemory;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.parking.JobForwarding;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Decides whether a run gets another task. */
public final class Deciders {
  /** Tasks of one run that have not ended: they stand in the job's record. */
  static final int LIVE_MAX = 256;

  /** Bytes of a program and its arguments: they stand in the ledger. */
  static final int ARGUMENTS_MAX = 64 * 1024;

  /** Interim answer to a repeated command while its task runs. */
  static final String ORDERED = "ordered";

  public Decision decide(Context c, LaunchTask command) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    if (Tasks.waits(job, c.meta().getId())) {
      return Decision.none().interim(c.meta(), ORDERED);
    }
    if (!job.getSpec().getOwner().equals(c.meta().getPrincipal())) {
      // Not even a manager: the program would have the owner's rights.
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    boolean runs = job.getStatus() == JobStatus.RUNNING && job.getKilling() == KillPurpose.NONE;
    if (!runs || job.getRun() != command.getRun()) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    boolean old = AnswerMemory.mayBeForgotten(c.numbers(), c.meta().getId(), c.nowMs());
    if (old && TaskCommandMemory.maybe(job.getTasks(), c.meta().getId())) {
      // The answer to this command is forgotten; newer answers are kept.
      return Decision.rejected(c, PbsError.COMMAND_TOO_OLD);
    }
    return launch(c, job, command);
  }

  private static Decision launch(Context c, Job job, LaunchTask command) {
    List<NodeShare> shares = job.getAllocation().getShares();
    if (!NodeFile.fits(shares)) {
      return Decision.rejected(c, PbsError.INVALID_REQUEST, ": the run has too many places");
    }
    List<Integer> places = NodeFile.sharesOf(shares);
    int place = command.getPlace();
    if (place < 0 || place >= places.size()) {
      String why = ": the run has " + places.size() + " places and none with the index " + place;
      return Decision.rejected(c, PbsError.INVALID_REQUEST, why);
    }
    long bytes = 0;
    for (String word : command.getArgv()) {
      bytes += word.getBytes(StandardCharsets.UTF_8).length + 1;
    }
    if (bytes > ARGUMENTS_MAX || command.getArgv().isEmpty()) {
      String why = ": a task has a program and arguments of at most " + ARGUMENTS_MAX + " bytes";
      return Decision.rejected(c, PbsError.INVALID_REQUEST, why);
    }
    RunTasks tasks = job.getTasks();
    if (tasks != null && tasks.getLive().size() >= LIVE_MAX) {
      String why = ": %d tasks of the run have not ended, as many as may".formatted(LIVE_MAX);
      return Decision.rejected(c, PbsError.BAD_STATE, why);
    }
    int share = places.get(place);
    NodeShare where = shares.get(share);
    Node node = c.view().nodes().get(where.getNode());
    if (node == null || !node.getUp()) {
      return Decision.rejected(c, PbsError.BAD_STATE, ": host " + where.getHost() + " is down");
    }
    int number = (tasks == null ? 0 : tasks.getLast()) + 1;
    RunTask task =
        new RunTask(number, place, share, c.nowMs(), command.getWait() ? c.meta() : null);
    return order(c, job, task, command);
  }

  private static Decision order(Context c, Job job, RunTask task, LaunchTask command) {
    Decision decision =
        command.getWait()
            ? Decision.none().interim(c.meta(), ORDERED)
            : Decision.done(c, Integer.toString(task.getNumber()));
    decision
        .fact(new TaskOrdered(c.stamp(), job.getId(), job.getRun(), task, command.getArgv()))
        .dispatch(Orders.start(c, job, task, command.getArgv()));
    if (job.getSuspension() != Suspension.NONE) {
      decision.dispatch(Orders.asItIs(c, job, task)); // it was asked for just before
    }
    return decision;
  }
}
