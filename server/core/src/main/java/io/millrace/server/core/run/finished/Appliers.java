package io.millrace.server.core.run.finished;

import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.job.array.Subjobs;
import io.millrace.server.core.job.purge.Purge;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies ends of runs that end their jobs. The allocation stays to be shown; nothing holds it. */
public final class Appliers {

  public void apply(State state, RunFinished fact) {
    long atMs = fact.getMeta().getAtMs();
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = "run " + fact.getRun() + ", exit status " + fact.getExitStatus();
    if (!fact.getMessage().isEmpty()) {
      detail += ", " + fact.getMessage();
    }
    Job after = Copies.withEvent(before, atMs, "finished", detail);
    after.setStatus(JobStatus.FINISHED);
    after.setExitStatus(fact.getExitStatus());
    after.setUsed(fact.getUsed());
    if (fact.getStartedMs() > 0) {
      after.setStartedMs(fact.getStartedMs());
    }
    if (before.getSessionId() == 0 && fact.getStartedMs() > 0) {
      // The report of the start was lost; a report of the end implies it.
      after.setRunCount(before.getRunCount() + 1);
    }
    after.setFinishedMs(atMs);
    after.setSuspension(Suspension.NONE);
    after.setTasks(null);
    JobRecords.replace(state, before, after);
    JobRecords.free(state, before, atMs);
    Subjobs.ended(state, after, fact.getExitStatus());
    Purge.setTimer(state, after);
  }
}
