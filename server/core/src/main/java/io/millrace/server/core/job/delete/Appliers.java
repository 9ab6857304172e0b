package io.millrace.server.core.job.delete;

import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.Copies;
import io.millrace.server.core.JobTable;
import io.millrace.server.core.Keys;
import io.millrace.server.core.State;
import io.millrace.server.core.job.array.Arrays;
import io.millrace.server.core.job.array.Subjobs;
import io.millrace.server.core.job.purge.Purge;

/** Applies the end of a job that did not run. */
public final class Appliers {

  public void apply(State state, JobDeleted fact) {
    long atMs = fact.getMeta().getAtMs();
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    // Older facts do not name the host.
    String by = fact.getBy().isEmpty() ? fact.getMeta().getPrincipal() : fact.getBy();
    boolean wished = fact.getWhy().isEmpty();
    String detail = wished ? "by " + by : fact.getWhy();
    Job after = Copies.withEvent(before, atMs, "deleted", detail);
    after.setStatus(JobStatus.FINISHED);
    after.setExitStatus(wished ? Integer.valueOf(fact.getExitStatus()) : null);
    after.setEndedBy(wished ? by : "");
    if (!wished && before.getRoute() != null) {
      // As in PBS, which does not comment on jobs that their dependencies end.
      after.setComment(fact.getWhy());
    }
    after.setFinishedMs(atMs);
    if (Arrays.is(after)) {
      after.setArray(Arrays.cut(before.getArray()));
    }
    JobTable.replace(state, before, after);
    Subjobs.ended(state, after, Deciders.EXIT_TERMINATED);
    Purge.setTimer(state, after);
  }
}
