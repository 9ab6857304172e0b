package io.millrace.server.gateway.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.gateway.command.Jobs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What suspended runs keep from others, and until when. */
class RunsOfSiteTest {

  private static Job suspended() {
    Job job = Jobs.fromScript(5, JobStatus.RUNNING);
    job.getSpec().getRequest().setWalltimeS(100L);
    job.setStartedMs(1000L);
    job.setResumedMs(50_000L);
    job.setRanMs(20_000L);
    job.setSuspension(Suspension.OPERATOR);
    return job;
  }

  private static Job inCell(Job job) {
    job.getSpec()
        .setGridEngine(
            GridEngineRequest.newBuilder().setOptions(List.of()).setCategory("").build());
    return job;
  }

  @Test
  void aCellOfGridEngineKeepsSlotsForASuspendedRunAndPbsDoesNot() {
    Job job = suspended();
    assertFalse(RunsOfSite.keepsNodes(job));
    assertTrue(RunsOfSite.keepsNodes(inCell(job)));
  }

  @Test
  void theWalltimeOfASuspendedRunCountsFromItsStart() {
    Job job = suspended();
    assertEquals(101_000L, RunsOfSite.endMs(job));
    job.setSuspension(Suspension.NONE);
    assertEquals(130_000L, RunsOfSite.endMs(job), "one that went on has the rest");
  }

  @Test
  void nothingEndsARunThatStandsStillInACell() {
    Job job = inCell(suspended());
    assertEquals(Long.MAX_VALUE, RunsOfSite.endMs(job));
    job.setSuspension(Suspension.NONE);
    assertEquals(130_000L, RunsOfSite.endMs(job));
  }
}
