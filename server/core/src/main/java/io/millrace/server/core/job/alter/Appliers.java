package io.millrace.server.core.job.alter;

import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.pbs.jobs.RunWalltimes;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.job.accrue.Accruals;
import io.millrace.server.core.order.RunLimit;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies alterations. */
public final class Appliers {

  public void apply(State state, JobAltered fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = fact.getChanged() + " by " + fact.getMeta().getPrincipal();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), RunLimit.ALTERED, detail);
    after.setSpec(fact.getSpec());
    if (RunWalltimes.askedAnew(fact)) {
      after.setBookedLimitS(0L); // the new walltime was checked against what is booked
    }
    JobRecords.replace(state, before, after);
    if (fact.getEligibleMs() != null) {
      Accruals.set(state, after, fact.getEligibleMs(), fact.getMeta().getAtMs());
    }
  }
}
