package io.millrace.server.core.run.signal;

import io.millrace.schemas.fact.RunMessaged;
import io.millrace.schemas.fact.RunSignalled;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.Copies;
import io.millrace.server.core.JobTable;
import io.millrace.server.core.Keys;
import io.millrace.server.core.State;

/** Applies signals: they are counted and told. */
public final class Appliers {

  public void apply(State state, RunSignalled fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = fact.getSignal() + " by " + fact.getBy();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), Copies.SIGNAL, detail);
    after.setOrders(fact.getOrder());
    JobTable.replace(state, before, after);
  }

  public void apply(State state, RunMessaged fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    String detail = "message by " + fact.getBy();
    long atMs = fact.getMeta().getAtMs();
    JobTable.replace(state, before, Copies.withEvent(before, atMs, Copies.SIGNAL, detail));
  }
}
