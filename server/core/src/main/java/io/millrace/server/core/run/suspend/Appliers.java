package io.millrace.server.core.run.suspend;

import io.millrace.schemas.fact.RunMadeResumable;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies suspensions and their ends: to the job, and to what its nodes hold for it. */
public final class Appliers {

  public void apply(State state, RunSuspended fact) {
    long atMs = fact.getMeta().getAtMs();
    Job before = job(state, fact.getJobId());
    Job after = Copies.withEvent(before, atMs, "suspended", told(fact.getRun(), fact.getBy()));
    after.setSuspension(fact.getSuspension());
    after.setRanMs(fact.getRanMs());
    after.setOrders(fact.getOrder());
    JobRecords.replace(state, before, after);
    JobRecords.setAside(state, after, atMs);
  }

  public void apply(State state, RunMadeResumable fact) {
    Job before = job(state, fact.getJobId());
    String detail = told(fact.getRun(), fact.getBy());
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "resumable", detail);
    after.setSuspension(Suspension.RESUMABLE);
    JobRecords.replace(state, before, after);
  }

  public void apply(State state, RunResumed fact) {
    long atMs = fact.getMeta().getAtMs();
    Job before = job(state, fact.getJobId());
    Job after = Copies.withEvent(before, atMs, "resumed", told(fact.getRun(), fact.getBy()));
    after.setSuspension(Suspension.NONE);
    after.setResumedMs(atMs);
    after.setOrders(fact.getOrder());
    JobRecords.replace(state, before, after);
    JobRecords.takeUp(state, after, atMs);
  }

  private static Job job(State state, String id) {
    return state.jobs().get(Keys.number(Keys.jobNumber(id)));
  }

  private static String told(int run, String by) {
    return "run " + run + " by " + by;
  }
}
