package io.millrace.server.core.job.delete;

import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.job.array.Subjobs;
import io.millrace.server.core.job.purge.Purge;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;

/** Applies the end of a job that did not run. */
public final class Appliers {

  public void apply(State state, JobDeleted fact) {
    long atMs = fact.getMeta().getAtMs();
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    boolean wished = fact.getWhy().isEmpty();
    String detail = wished ? "by " + fact.getBy() : fact.getWhy();
    Job after = Copies.withEvent(before, atMs, "deleted", detail);
    after.setStatus(JobStatus.FINISHED);
    after.setExitStatus(wished ? Integer.valueOf(fact.getExitStatus()) : null);
    after.setEndedBy(wished ? fact.getBy() : "");
    if (!wished && before.getRoute() != null) {
      // As in PBS, which does not comment on jobs that their dependencies end.
      after.setComment(fact.getWhy());
    }
    after.setFinishedMs(atMs);
    if (ArrayStates.is(after)) {
      after.setArray(ArrayStates.cut(before.getArray()));
    }
    JobRecords.replace(state, before, after);
    Subjobs.ended(state, after, ExitStatus.TERMINATED);
    Purge.setTimer(state, after);
  }
}
