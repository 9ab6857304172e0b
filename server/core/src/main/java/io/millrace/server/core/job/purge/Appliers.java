package io.millrace.server.core.job.purge;

import io.millrace.schemas.fact.JobPurged;
import io.millrace.server.core.JobTable;
import io.millrace.server.core.Keys;
import io.millrace.server.core.State;

/** Applies purges. */
public final class Appliers {

  public void apply(State state, JobPurged fact) {
    String key = Keys.number(Keys.jobNumber(fact.getJobId()));
    JobTable.replace(state, state.jobs().get(key), null);
  }
}
