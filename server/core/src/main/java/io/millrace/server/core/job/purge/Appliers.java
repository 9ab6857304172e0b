package io.millrace.server.core.job.purge;

import io.millrace.schemas.fact.JobPurged;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies purges. */
public final class Appliers {

  public void apply(State state, JobPurged fact) {
    String key = Keys.number(Keys.jobNumber(fact.getJobId()));
    JobRecords.replace(state, state.jobs().get(key), null);
  }
}
