package io.millrace.server.core.run.signal;

import io.millrace.schemas.fact.RunMessaged;
import io.millrace.schemas.fact.RunSignalled;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/**
 * Applies signals and messages to runs: orders are counted, events are added to the job's history.
 */
public final class Appliers {

  public void apply(State state, RunSignalled fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = fact.getSignal() + " by " + fact.getBy();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), Copies.SIGNAL, detail);
    after.setOrders(fact.getOrder());
    JobRecords.replace(state, before, after);
  }

  public void apply(State state, RunMessaged fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = "message by " + fact.getBy();
    long atMs = fact.getMeta().getAtMs();
    JobRecords.replace(state, before, Copies.withEvent(before, atMs, Copies.SIGNAL, detail));
  }
}
