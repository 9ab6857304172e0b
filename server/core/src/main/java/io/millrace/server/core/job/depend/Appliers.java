package io.millrace.server.core.job.depend;

import io.millrace.schemas.fact.DependencySatisfied;
import io.millrace.schemas.fact.DependentForgotten;
import io.millrace.schemas.fact.DependentNoted;
import io.millrace.schemas.fact.JobDepends;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.job.depend.waiting.DependencyAddress;
import io.millrace.server.core.job.depend.waiting.DependencyLists;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies dependencies. None of these facts changes what is counted of a job. */
public final class Appliers {

  public void apply(State state, JobDepends fact) {
    Job after = Copies.of(job(state, Keys.jobNumber(fact.getJobId())));
    after.setDepend(fact.getDepend());
    put(state, after);
  }

  public void apply(State state, DependencySatisfied fact) {
    Job before = job(state, Keys.jobNumber(fact.getJobId()));
    String on = DependencyAddress.id(before, fact.getOn());
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "dependency", on);
    after.setDepend(DependencyLists.without(before.getDepend(), fact.getKind(), fact.getOn()));
    put(state, after);
  }

  public void apply(State state, DependentNoted fact) {
    Dependent one = fact.getDependent();
    String key = Dependents.key(one.getNumber(), one.getChild(), one.getKind());
    if (state.dependents().get(key) == null) {
      count(state, one.getNumber(), 1);
      state.dependents().put(key, one);
    }
  }

  public void apply(State state, DependentForgotten fact) {
    Job job = job(state, fact.getNumber());
    int gone = 0;
    for (Dependent one : Dependents.of(state, job)) {
      boolean meant = fact.getChild() == 0 || fact.getChild() == one.getChild();
      if (meant && one.getKind() == fact.getKind()) {
        state.dependents().remove(Dependents.key(one.getNumber(), one.getChild(), one.getKind()));
        gone++;
      }
    }
    count(state, fact.getNumber(), -gone);
  }

  /** Who waited for a job goes with it. */
  public void follow(State state, Job before, Job after) {
    if (after == null) {
      Dependents.leave(state, before);
    }
  }

  private static void count(State state, long number, int by) {
    Job after = Copies.of(job(state, number));
    after.setDependents(after.getDependents() + by);
    put(state, after);
  }

  private static Job job(State state, long number) {
    return state.jobs().get(Keys.number(number));
  }

  private static void put(State state, Job job) {
    state.jobs().put(Keys.number(job.getNumber()), job);
  }
}
