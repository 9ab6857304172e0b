package io.millrace.server.core.run.started;

import io.millrace.schemas.fact.RunShortened;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies starts. */
public final class Appliers {

  public void apply(State state, RunStarted fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = "run " + fact.getRun() + ", session " + fact.getSessionId();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "started", detail);
    after.setSessionId(fact.getSessionId());
    after.setStartedMs(fact.getStartedMs());
    if (before.getResumedMs() >= 0) {
      // It was suspended and went on before it began: it has not run yet.
      after.setResumedMs(Math.max(before.getResumedMs(), fact.getStartedMs()));
    }
    after.setRunCount(before.getRunCount() + 1);
    JobRecords.replace(state, before, after);
  }

  public void apply(State state, RunShortened fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = "to " + fact.getWalltimeS() + " s, by " + fact.getReservation();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "shortened", detail);
    after.setBookedLimitS(fact.getWalltimeS());
    JobRecords.replace(state, before, after);
  }
}
