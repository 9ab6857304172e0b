package io.millrace.server.core.run.outside;

import io.millrace.schemas.fact.RunOutsideAnswered;
import io.millrace.schemas.fact.RunOutsideNoted;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies what was said. */
public final class Appliers {

  public void apply(State state, RunOutsideNoted fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    Job after = Copies.of(before);
    after.setComment(fact.getText());
    JobRecords.replace(state, before, after);
  }

  public void apply(State state, RunOutsideAnswered fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = OutsideAnswers.detail(fact.getOrder(), fact.getRefused(), fact.getText());
    long atMs = fact.getMeta().getAtMs();
    JobRecords.replace(state, before, Copies.withEvent(before, atMs, Copies.ANSWERED, detail));
  }
}
