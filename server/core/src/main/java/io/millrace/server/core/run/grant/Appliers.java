package io.millrace.server.core.run.grant;

import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.job.array.Subjobs;
import io.millrace.server.core.order.RunLimit;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies granted runs. */
public final class Appliers {

  public void apply(State state, RunGranted fact) {
    long atMs = fact.getMeta().getAtMs();
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = "run " + fact.getRun() + " on " + fact.getAllocation().getExecVnode();
    Job after = Copies.withEvent(before, atMs, RunLimit.GRANTED, detail);
    after.setStatus(JobStatus.RUNNING);
    after.setRun(fact.getRun());
    after.setAllocation(fact.getAllocation());
    after.setScheduler(fact.getScheduler());
    after.setKilling(KillPurpose.NONE);
    after.setEndedBy("");
    after.setPreemptedFor("");
    after.setSessionId(0L);
    after.setBookedLimitS(0L);
    after.setStartedMs(atMs);
    after.setExitStatus(null);
    after.setUsed(null);
    after.setTasks(null);
    JobRecords.forgetSuspensions(after);
    JobRecords.replace(state, before, after);
    Subjobs.began(state, after, atMs);
    JobRecords.hold(state, after, fact.getRun(), fact.getAllocation(), atMs);
  }
}
