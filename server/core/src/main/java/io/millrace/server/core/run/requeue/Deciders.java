package io.millrace.server.core.run.requeue;

import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.parking.JobForwarding;
import io.millrace.server.core.work.ForcedEnd;

/**
 * Decides reruns. Like in PBS they are for operators and managers; as in Grid Engine its jobs may
 * be rescheduled by their owners, too.
 */
public final class Deciders {

  public Decision decide(Context c, RerunJob command) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    if (!c.mayInterrupt(job)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (job.getStatus() == JobStatus.FINISHED) {
      return Decision.rejected(c, PbsError.JOB_FINISHED);
    }
    if (!job.getSpec().getRerunnable() && !command.getForce()) {
      return Decision.rejected(c, PbsError.NOT_RERUNNABLE);
    }
    if (job.getStatus() != JobStatus.RUNNING || job.getKilling() == KillPurpose.DELETE) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    Decision decision = Decision.done(c);
    if (job.getKilling() == KillPurpose.NONE) {
      String by = c.meta().getPrincipal() + "@" + c.meta().getHost();
      decision.fact(
          new RunKillRequested(c.stamp(), job.getId(), job.getRun(), KillPurpose.RERUN, by, false));
    }
    if (command.getForce() && c.isOperator()) {
      ForcedEnd.ask(c, job, decision);
    }
    return Orders.kill(c, job, decision);
  }
}
