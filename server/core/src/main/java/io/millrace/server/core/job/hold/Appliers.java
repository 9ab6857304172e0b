package io.millrace.server.core.job.hold;

import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.order.RunHold;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Holds;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies holds and their release. */
public final class Appliers {

  public void apply(State state, JobHeld fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    Job after =
        Copies.withEvent(before, fact.getMeta().getAtMs(), RunHold.HELD, by(fact.getAdded(), fact));
    after.setHolds(fact.getHolds());
    if (fact.getAdded().contains(Holds.ERROR)) {
      after.setError(new JobError(fact.getMeta().getAtMs(), fact.getReason()));
    }
    if (before.getStatus() == JobStatus.QUEUED) {
      after.setStatus(JobStatus.HELD);
      after.setEligibleMs(-1L);
    }
    JobRecords.replace(state, before, after);
  }

  private static String by(String holds, JobHeld fact) {
    return holds + " by " + fact.getMeta().getPrincipal();
  }

  public void apply(State state, JobReleased fact) {
    long atMs = fact.getMeta().getAtMs();
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = fact.getRemoved() + " by " + fact.getMeta().getPrincipal();
    Job after = Copies.withEvent(before, atMs, RunHold.RELEASED, detail);
    after.setHolds(fact.getHolds());
    if (fact.getRemoved().contains(Holds.ERROR)) {
      after.setError(null);
    }
    if (before.getStatus() == JobStatus.HELD && fact.getHolds().equals("n")) {
      after.setStatus(JobStatus.QUEUED);
      after.setEligibleMs(atMs);
    }
    JobRecords.replace(state, before, after);
  }

  public void follow(State state, Job before, Job after) {
    ExecutionTimes.follow(state, before, after);
  }
}
