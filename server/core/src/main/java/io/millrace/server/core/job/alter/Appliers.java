package io.millrace.server.core.job.alter;

import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.Copies;
import io.millrace.server.core.JobTable;
import io.millrace.server.core.Keys;
import io.millrace.server.core.State;
import io.millrace.server.core.job.accrue.Accruals;
import io.millrace.server.core.run.grant.RunLimit;

/** Applies alterations. */
public final class Appliers {

  public void apply(State state, JobAltered fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = fact.getChanged() + " by " + fact.getMeta().getPrincipal();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), RunLimit.ALTERED, detail);
    after.setSpec(fact.getSpec());
    JobTable.replace(state, before, after);
    if (fact.getEligibleMs() != null) {
      Accruals.set(state, after, fact.getEligibleMs(), fact.getMeta().getAtMs());
    }
  }
}
