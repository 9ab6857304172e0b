package io.millrace.server.gateway.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.SignalJob;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.IndexSteps;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.SubjobRuns;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Arrays, subjobs and ranges as commands name and show them. */
class ArrayCommandsTest {
  private final FakeSite site = new FakeSite();

  /** Of 1-9:2 one has ended, one runs, one is next, one is left, and one was deleted. */
  @BeforeEach
  void array() {
    Job array = Jobs.fromScript(60, JobStatus.QUEUED);
    array.setId("60[].vm");
    array.setStartedMs(FakeSite.NOW_MS - 60_000);
    array.setArray(
        new ArrayState(
            1,
            9,
            2,
            2,
            List.of(new IndexRange(7, 7)),
            List.of(5),
            List.of(3),
            2,
            1,
            List.of(new SubjobRuns(7, 1, 1))));
    site.jobs.put(60L, array);
    subjob(1, JobStatus.FINISHED);
    subjob(3, JobStatus.RUNNING);
    subjob(5, JobStatus.QUEUED);
  }

  private void subjob(int index, JobStatus status) {
    long number = JobNumbers.subjob(60, index);
    Job job = Jobs.fromScript(number, status);
    job.setId("60[" + index + "].vm");
    site.jobs.put(number, job);
  }

  private String rows(String... words) throws Exception {
    return site.run("pbsu1", words)
        .output()
        .lines()
        .skip(2)
        .map(line -> line.split("\\s+")[0] + " " + line.split("\\s+")[4])
        .collect(Collectors.joining(", "));
  }

  @Test
  void qstatShowsAnArrayAndItsSubjobs() throws Exception {
    String all = "60[1].vm X, 60[3].vm R, 60[5].vm Q, 60[7].vm Q, 60[9].vm X";
    assertEquals("60[].vm B", rows("qstat"));
    assertEquals("60[].vm B", rows("qstat", "-J"));
    assertEquals("60[].vm B, " + all, rows("qstat", "-t"));
    assertEquals(all, rows("qstat", "-Jt"));
    assertEquals("60[3].vm R, 60[7].vm Q", rows("qstat", "60[3-7:4]"));
    assertEquals("60[1].vm X", rows("qstat", "60[1]"));
    assertEquals(
        "60[].vm\n60[7].vm\n",
        site.run("pbsu1", "qselect", "-T", "-s", "BQ").output().replace("60[5].vm\n", ""));
    String percent = site.run("pbsu1", "qstat", "-tp").output();
    assertTrue(percent.contains(" 40  B "), percent);
    assertTrue(percent.contains(" 100 X "), percent);
    String why = site.run("pbsu1", "why", "60[]").output();
    assertTrue(why.contains("Of its subjobs 2 wait, 1 run and 2 have ended. "), why);
    assertEquals(
        "60[7].vm: waits behind other subjobs of its array.\n",
        site.run("pbsu1", "why", "60[7]").output());
    String full = site.run("pbsu1", "qstat", "-f", "60[]").output();
    assertTrue(
        full.contains("    array_state_count = Queued:2 Running:1 Exiting:0 Expired:2\n"), full);
    assertTrue(full.contains("    array_indices_submitted = 1-9:2\n"), full);
    assertTrue(full.contains("    array_indices_remaining = 5-7:2\n"), full);
    assertFalse(full.contains("jobdir"), full);
    assertEquals("qstat: Unknown Job Id 60[2].vm\n", site.run("pbsu1", "qstat", "60[2]").errors());
    assertEquals(
        "qstat: illegally formed job identifier: 60[][2]\n",
        site.run("pbsu1", "qstat", "-f", "60[][2]").errors());
  }

  @Test
  void aFinishedArrayIsHistoryWithItsSubjobs() throws Exception {
    Job array = site.jobs.get(60L);
    array.setStatus(JobStatus.FINISHED);
    array.getArray().setLeft(List.of());
    site.jobs.remove(JobNumbers.subjob(60, 3));
    site.jobs.remove(JobNumbers.subjob(60, 5));
    assertEquals("", rows("qstat", "-t"));
    assertEquals(
        "60[].vm F, 60[1].vm F, 60[3].vm F, 60[5].vm F, 60[7].vm F, 60[9].vm F",
        rows("qstat", "-xt"));
  }

  @Test
  void severalSubjobsAreDeletedByOneCommand() throws Exception {
    site.run("pbsu1", "qdel", "60[1-5:2,9]");
    DeleteJob delete = (DeleteJob) site.sent.get(0).command();
    assertEquals("60[].vm", delete.getJobId());
    assertEquals(List.of(new IndexSteps(1, 5, 2), new IndexSteps(9, 9, 1)), delete.getSubjobs());
  }

  @Test
  void whatRunsOfAnArrayGetsSignals() throws Exception {
    site.run("pbsu1", "qsig", "-s", "USR1", "60[]");
    assertEquals("60[3].vm", ((SignalJob) site.sent.get(0).command()).getJobId());
    site.run("pbsu1", "qrerun", "60[1-9]");
    assertEquals("60[3].vm", ((RerunJob) site.sent.get(1).command()).getJobId());
    site.run("pbsu1", "qrerun", "60[5-9]");
    assertEquals("60[].vm", ((RerunJob) site.sent.get(2).command()).getJobId());
    assertEquals(3, site.sent.size());
  }

  /** PBS has other words for them than of any unknown job, and names what the user named. */
  @Test
  void whatAnArrayDoesNotHaveIsToldInPbsWords() throws Exception {
    site.refuse(PbsError.UNKNOWN_JOB.code(), PbsError.UNKNOWN_JOB.text());
    assertEquals(
        "qrerun: Invalid request 60[2].vm\n", site.run("root", "qrerun", "60[2]").errors());
    assertEquals("qrun: Invalid request 60[2].vm\n", site.run("root", "qrun", "60[2]").errors());
    assertEquals("qsig: Unknown Job Id 60[2].vm\n", site.run("root", "qsig", "60[2]").errors());
    assertEquals("qrun: Unknown Job Id 61[2].vm\n", site.run("root", "qrun", "61[2]").errors());
    site.refuse(PbsError.BAD_STATE.code(), PbsError.BAD_STATE.text());
    assertEquals(
        "qsig: Request invalid for state of job 60[5-9].vm\n",
        site.run("root", "qsig", "60[5-9]").errors());
    for (String id : List.of("60[5-9].vm", "60[5].vm")) {
      assertEquals(
          "qmsg: not supported for Array Jobs " + id + "\n",
          site.run("root", "qmsg", "hello", id).errors());
      assertEquals(PbsError.UNSUPPORTED.exitStatus(), site.status);
    }
  }

  @Test
  void aRepeatedSignalReachesWhatRunsNow() throws Exception {
    UUID id = site.id();
    site.jobs.get(60L).getArray().setBegun(List.of(3, 5));
    site.run(signal(id, "60[]", "60[7]"));
    site.jobs.get(60L).getArray().setBegun(List.of(5, 7));
    site.run(signal(id, "60[]", "60[7]"));
    List<String> jobs =
        site.sent.stream().map(it -> ((SignalJob) it.command()).getJobId()).toList();
    assertEquals(
        List.of("60[3].vm", "60[5].vm", "60[7].vm", "60[5].vm", "60[7].vm", "60[7].vm"), jobs);
    List<CommandId> ids = site.sent.stream().map(FakeSite.Sent::id).toList();
    assertEquals(ids.get(1), ids.get(3), "once for each");
    assertEquals(ids.get(2), ids.get(5));
    assertEquals(4, Set.copyOf(ids).size(), "7 runs only now, and was named besides");
  }

  private static FakeInvocation signal(UUID id, String... jobs) {
    List<String> line = new ArrayList<>(List.of("qsig", "-s", "USR1"));
    line.addAll(List.of(jobs));
    return new FakeInvocation("pbsu1", line, new HashMap<>(), id);
  }

  @Test
  void wholeArraysAreHeldAndAltered() throws Exception {
    site.run("pbsu1", "qhold", "60[]");
    assertEquals("60[].vm", ((HoldJob) site.sent.get(0).command()).getJobId());
    site.run("pbsu1", "qalter", "-W", "max_run_subjobs=7", "60[]");
    assertEquals(7, ((AlterJob) site.sent.get(1).command()).getMaxRunSubjobs());
  }
}
