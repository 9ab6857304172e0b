package io.millrace.server.core.job.order;

import io.millrace.schemas.fact.JobReordered;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies exchanges of places. */
public final class Appliers {

  public void apply(State state, JobReordered fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "reordered", fact.getQueue());
    after.setRank(fact.getRank());
    if (!fact.getFromQueue().equals(fact.getQueue())) {
      after.setSpec(Copies.inQueue(before.getSpec(), fact.getQueue()));
      after.setRoute(fact.getRoute());
      after.setQueuedMs(fact.getMeta().getAtMs());
    }
    JobRecords.replace(state, before, after);
  }
}
