package io.millrace.server.accounting.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told when a run ends, or begins again. */
class AccountEndsTest extends AccountFixture {
  @Test
  void aJobThatTheServerEndsIsAborted() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(
        0, new JobDeleted(at(5000), "1.vm", 271, "", "Job deleted as result of dependency", false));
    assertEquals(
        "11/20/2026 15:35:59;A;1.vm;Job deleted as result of dependency", lines("20261120").get(1));
  }

  /** The lines that PBS was recorded with. */
  @Test
  void aRefusedDependencyIsToldAsTheReplyThatItWas() throws IOException {
    String refused = "Dependency request for job rejected by 9.vm ";
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(0, new JobDeleted(at(0), "1.vm", 271, "", refused + "Unknown Job Id", false));
    follow(0, new JobQueued(at(0), job(2), List.of()));
    follow(0, new JobDeleted(at(0), "2.vm", 271, "", refused + "Invalid Job Dependency", false));
    List<String> lines = lines("20261120");
    assertEquals(
        "11/20/2026 15:35:54;A;1.vm;Reject reply code=15001, aux=0, type=52, from @vm"
            + " Unknown Job Id",
        lines.get(1));
    assertEquals(
        "11/20/2026 15:35:54;A;2.vm;Reject reply code=15054, aux=0, type=52, from pbsu1@vm"
            + " Invalid Job Dependency",
        lines.get(3));
  }

  @Test
  void aPreemptionIsRequestedByTheScheduler() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(0, new RunGranted(at(100), "1.vm", 1, "default", 1L, allocation()));
    String by = "Scheduler@vm, preempted for 2.vm";
    follow(0, new RunKillRequested(at(5000), "1.vm", 1, KillPurpose.DELETE, by, false));
    assertEquals("11/20/2026 15:35:59;D;1.vm;requestor=Scheduler@vm", lines("20261120").get(1));
  }

  @Test
  void linesOfEndsTellForHowLongTheJobWaited() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(0, new RunGranted(at(1000), "1.vm", 1, "default", 1L, allocation()));
    follow(0, new RunRequeued(at(4000), "1.vm", 1, -11, "rerun", null, 3_661_999L));
    follow(0, new RunGranted(at(5000), "1.vm", 2, "default", 1L, allocation()));
    RunFinished end = finished(9000, 0, BEGIN + 5000);
    end.setEligibleMs(0L);
    follow(0, end);
    List<String> lines = lines("20261120");
    assertTrue(
        lines.get(1).endsWith(" Exit_status=-11 eligible_time=01:01:01 run_count=1"), lines + "");
    assertTrue(lines.get(3).endsWith(" eligible_time=00:00:00 run_count=2"), lines + "");
  }

  @Test
  void aBestEffortRunThatGaveWay() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(0, new RunGranted(at(1000), "1.vm", 1, "default", 1L, allocation()));
    follow(0, new RunPreempted(at(2000), "1.vm", 1, "7.vm", true, "Scheduler@vm"));
    follow(0, new RunRequeued(at(4000), "1.vm", 1, -33, "preempted for 7.vm", null, -1L));
    List<String> lines = lines("20261120");
    assertTrue(
        lines.get(1).endsWith(";PREEMPTED;1.vm;preempted_for=7.vm requeue=True"), lines + "");
    assertTrue(lines.get(2).contains(";R;1.vm;"), lines + "");
    assertTrue(lines.get(2).contains(" Exit_status=-33 "), lines + "");
  }

  @Test
  void aRunThatEndsForAnotherTellsWhatItUsed() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(0, new RunGranted(at(1000), "1.vm", 1, "default", 1L, allocation()));
    follow(0, new RunStarted(at(1000), "1.vm", 1, 77L, BEGIN + 1000));
    Usage used = new Usage(7L, 1388L, 2500L, 13L, 2, 98);
    follow(0, new RunRequeued(at(4000), "1.vm", 1, -11, "rerun", used, -1L));
    assertTrue(
        lines("20261120")
            .get(2)
            .endsWith(
                " Exit_status=-11 resources_used.cpupercent=98 resources_used.cput=00:00:07"
                    + " resources_used.mem=1388kb resources_used.ncpus=2"
                    + " resources_used.vmem=2500kb resources_used.walltime=00:00:13 run_count=1"),
        lines("20261120").get(2));
  }

  @Test
  void aRunThatIsRepeatedIsToldAndCountedAnew() throws IOException {
    follow(0, new JobQueued(at(0), job(1), List.of()));
    follow(0, new RunGranted(at(1000), "1.vm", 1, "default", 1L, allocation()));
    follow(0, new RunStarted(at(1000), "1.vm", 1, 77L, BEGIN + 1000));
    follow(0, suspended(2500));
    follow(0, new RunResumed(at(3000), "1.vm", 1, 2, "root@vm"));
    follow(0, new RunRequeued(at(4000), "1.vm", 1, -11, "rerun", null, -1L));
    follow(0, new RunGranted(at(5000), "1.vm", 2, "default", 1L, allocation()));
    // Its start was never reported.
    follow(0, finished(9000, 0, BEGIN + 6000));
    List<String> lines = lines("20261120");
    assertEquals(
        List.of("Q", "S", "z", "r", "R", "S", "E"),
        lines.stream().map(it -> it.split(";")[1]).toList());
    assertEquals(
        "11/20/2026 15:35:56;z;1.vm;resources_used.cpupercent=0 resources_used.cput=00:00:00"
            + " resources_used.mem=0kb resources_used.ncpus=2 resources_used.vmem=0kb"
            + " resources_used.walltime=00:00:01",
        lines.get(2));
    assertEquals("11/20/2026 15:35:57;r;1.vm;", lines.get(3));
    assertTrue(lines.get(4).endsWith("session=77 end=1795188958 Exit_status=-11 run_count=1"));
    assertTrue(lines.get(5).contains("etime=1795188958 start=1795188960 exec_host="));
    assertTrue(lines.get(6).contains(" session=0 end=1795188963 Exit_status=0 "));
    assertTrue(lines.get(6).endsWith(" run_count=2"));
  }

  private RunSuspended suspended(long ms) {
    return RunSuspended.newBuilder()
        .setMeta(at(ms))
        .setJobId("1.vm")
        .setRun(1)
        .setOrder(1)
        .setSuspension(Suspension.OPERATOR)
        .setShares(List.of())
        .setRanMs(1500)
        .setBy("root@vm")
        .build();
  }
}
