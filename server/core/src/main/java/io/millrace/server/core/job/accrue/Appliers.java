package io.millrace.server.core.job.accrue;

import io.millrace.schemas.state.Job;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;

/** Writes into a job's new record for how long it has waited for resources. */
public final class Appliers {

  public void follow(State state, Job before, Job after) {
    if (after != null) {
      Accruals.follow(state, before, after, ShardNumbers.of(state).getTimeMs());
    }
  }
}
