package io.millrace.server.core.run.preempt;

import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies that best-effort runs have to give way; they hold their nodes until they are over. */
public final class Appliers {

  public void apply(State state, RunPreempted fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String then = fact.getAgain() ? "to run again" : "the job is over";
    String detail = "preempted for " + fact.getForJob() + ", " + then + ", by " + fact.getBy();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), Copies.KILL, detail);
    after.setKilling(fact.getAgain() ? KillPurpose.RERUN : KillPurpose.DELETE);
    after.setEndedBy(fact.getBy() + ", preempted for " + fact.getForJob());
    after.setPreemptedFor(fact.getForJob());
    JobRecords.replace(state, before, after);
  }
}
