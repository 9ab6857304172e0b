package io.millrace.server.core.run.requeue;

import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.job.array.Subjobs;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies requests to kill a run, and the requeueing of its job. */
public final class Appliers {

  public void apply(State state, RunKillRequested fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = fact.getPurpose().name().toLowerCase(java.util.Locale.ROOT);
    Job after =
        Copies.withEvent(
            before, fact.getMeta().getAtMs(), Copies.KILL, detail + " by " + fact.getBy());
    after.setKilling(fact.getPurpose());
    after.setEndedBy(fact.getBy());
    after.setPreemptedFor("");
    JobRecords.replace(state, before, after);
  }

  public void apply(State state, RunRequeued fact) {
    long atMs = fact.getMeta().getAtMs();
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    Job after =
        Copies.withEvent(before, atMs, "requeued", "run " + fact.getRun() + ", " + fact.getWhy());
    boolean held = !before.getHolds().equals("n");
    after.setStatus(held ? JobStatus.HELD : JobStatus.QUEUED);
    after.setEligibleMs(held ? -1 : atMs);
    after.setAllocation(null);
    after.setKilling(KillPurpose.NONE);
    after.setEndedBy("");
    after.setSessionId(0L);
    after.setBookedLimitS(0L);
    after.setStartedMs(-1L);
    after.setExitStatus(fact.getExitStatus());
    after.setTasks(null);
    JobRecords.forgetSuspensions(after);
    JobRecords.replace(state, before, after);
    JobRecords.free(state, before, atMs);
    Subjobs.requeued(state, after);
  }
}
