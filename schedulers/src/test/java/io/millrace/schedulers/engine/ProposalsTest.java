package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.Preempt;
import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import org.junit.jupiter.api.Test;

/** Commands name subjobs by their ids. */
class ProposalsTest {

  @Test
  void subjobsAreNamedByArrayAndIndex() {
    Proposals proposals = new Proposals(new EngineSeat("default", 3, 0, "vm", () -> {}), "host");
    long subjob = JobNumbers.subjob(12, 3);
    PreemptJob preempt = proposals.preempt(new Preempt(subjob, 13, "S"), 0);
    assertEquals("12[3].vm", preempt.getJobId());
    assertEquals("13.vm", preempt.getForJob());
    assertEquals("13.vm", proposals.preempt(new Preempt(13, subjob, "S"), 0).getJobId());
    assertEquals("12[3].vm", proposals.resume(subjob, 1, 0).getJobId());
    assertEquals("12[3].vm", proposals.suspend(subjob, 1, 0).getJobId());
  }
}
