package io.millrace.server.core.job.array;

import io.millrace.schemas.fact.ArrayCut;
import io.millrace.schemas.fact.ArrayEnded;
import io.millrace.schemas.fact.ArrayLimited;
import io.millrace.schemas.fact.SubjobsWithdrawn;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.job.purge.Purge;
import io.millrace.server.core.state.ArrayIndices;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies what becomes of an array as a whole. */
public final class Appliers {

  public void apply(State state, ArrayCut fact) {
    Job before = job(state, fact.getJobId());
    String detail = ArrayIndices.text(fact.getGone()) + " by " + fact.getBy();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "cut", detail);
    after.setArray(ArrayStates.cut(before.getArray(), fact.getLeft(), fact.getGone()));
    if (fact.getEnd()) {
      after.setEndedBy(fact.getBy());
    }
    JobRecords.replace(state, before, after);
  }

  public void apply(State state, SubjobsWithdrawn fact) {
    Job before = job(state, fact.getJobId());
    ArrayState array = before.getArray();
    for (int index : fact.getIndices()) {
      String key = Keys.number(JobNumbers.subjob(before.getNumber(), index));
      Job subjob = state.jobs().get(key);
      array = ArrayStates.withdrawn(array, index, Subjobs.runs(subjob));
      JobRecords.replace(state, subjob, null);
    }
    Job after = Copies.of(before);
    after.setArray(array);
    JobRecords.replace(state, before, after);
  }

  public void apply(State state, ArrayLimited fact) {
    Job before = job(state, fact.getJobId());
    String detail = "max_run_subjobs by " + fact.getMeta().getPrincipal();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "altered", detail);
    after.setArray(ArrayStates.limited(before.getArray(), fact.getMost()));
    JobRecords.replace(state, before, after);
  }

  public void apply(State state, ArrayEnded fact) {
    long atMs = fact.getMeta().getAtMs();
    Job before = job(state, fact.getJobId());
    String detail = "exit status " + fact.getExitStatus();
    Job after = Copies.withEvent(before, atMs, "finished", detail);
    after.setStatus(JobStatus.FINISHED);
    after.setExitStatus(fact.getExitStatus());
    after.setFinishedMs(atMs);
    JobRecords.replace(state, before, after);
    Purge.setTimer(state, after);
  }

  private static Job job(State state, String jobId) {
    return state.jobs().get(Keys.number(Keys.jobNumber(jobId)));
  }
}
