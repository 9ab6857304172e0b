package io.millrace.server.gateway.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many jobs of one file, a line for each. */
class QsubBulkTest extends QsubFixture {
  @Test
  void bulkSubmitsALinePerJobInChunks() throws Exception {
    StringBuilder lines = new StringBuilder("# a sweep\n\n");
    for (int i = 1; i <= 250; i++) {
      lines.append("-p ").append(i % 7).append(" -N j").append(i).append(" -- /bin/echo ");
      lines.append(i).append('\n');
    }
    files.put("jobs", lines.toString().getBytes(StandardCharsets.UTF_8));
    FakeInvocation first = qsub("-l", "ncpus=1", "--bulk", "jobs");
    assertEquals("", first.errors());
    assertEquals(0, site.status);
    assertEquals(250, first.output().lines().count());
    assertEquals(3, site.sent.size());
    SubmitJobs chunk = (SubmitJobs) site.sent.get(0).command();
    assertEquals(100, chunk.getJobs().size());
    assertEquals("j1", job(chunk, 0).getSpec().getName());
    assertEquals(List.of("/bin/echo", "100"), job(chunk, 99).getSpec().getArgv());
    FakeInvocation again = qsub("-l", "ncpus=1", "--bulk", "jobs");
    assertTrue(again.errors().contains("all 250 jobs of jobs were submitted before"), "said");
    assertEquals(3, site.sent.size());
  }

  @Test
  void bulkRefusesAlsoWhatIsPresetOrInAScript() throws Exception {
    files.put("jobs", "-- /bin/true\n".getBytes(StandardCharsets.UTF_8));
    preset("-W block=true");
    assertTrue(qsub("--bulk", "jobs").errors().contains("-W block=true waits for one job"));
    assertEquals(1, site.status);
    preset("-N preset");
    files.put("job.sh", "#PBS -I\n".getBytes(StandardCharsets.UTF_8));
    files.put("jobs", "job.sh\n".getBytes(StandardCharsets.UTF_8));
    assertTrue(qsub("--bulk", "jobs").errors().contains("an interactive job is submitted by"));
    assertEquals(1, site.status);
    assertEquals(List.of(), site.sent);
  }

  @Test
  void bulkGoesOnWhereItWasBrokenOffUnderTheSameIds() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= 300; i++) {
      lines.append("-- /bin/echo ").append(i).append('\n');
    }
    files.put("jobs", lines.toString().getBytes(StandardCharsets.UTF_8));
    qsub("--bulk", "jobs");
    // The progress file as a crash left it: the last answer was never written down.
    String progress = new String(files.get("jobs.progress"), StandardCharsets.UTF_8);
    String cut = progress.substring(0, progress.indexOf("done 2 "));
    files.put("jobs.progress", cut.getBytes(StandardCharsets.UTF_8));
    FakeInvocation again = qsub("--bulk", "jobs");
    assertEquals(0, site.status);
    assertEquals(4, site.sent.size());
    assertEquals(site.sent.get(2).id(), site.sent.get(3).id());
    assertEquals(100, again.output().lines().count());
    assertTrue(again.output().startsWith("201.vm\n"), again.output());
  }

  @Test
  void bulkRefusesAFileThatChangedUnderIt() throws Exception {
    files.put("jobs", "-- /bin/echo 1\n".getBytes(StandardCharsets.UTF_8));
    qsub("--bulk", "jobs");
    files.put("jobs", "-- /bin/echo 2\n".getBytes(StandardCharsets.UTF_8));
    FakeInvocation changed = qsub("--bulk", "jobs");
    assertTrue(changed.errors().contains("changed in lines 1-1"), changed.errors());
    assertEquals(1, site.status);
  }

  @Test
  void bulkStopsAtAWrongLineAndNamesIt() throws Exception {
    files.put("jobs", "-- true\n-p 9999 -- true\n".getBytes(StandardCharsets.UTF_8));
    FakeInvocation wrong = qsub("--bulk", "jobs");
    assertTrue(wrong.errors().contains("jobs line 2: "), wrong.errors());
    assertEquals(2, site.status);
    assertTrue(site.sent.isEmpty());
  }

  @Test
  void bulkRetriesARefusedChunkUnderANewId() throws Exception {
    files.put("jobs", "-- true\n".getBytes(StandardCharsets.UTF_8));
    site.refuse(15021, "Queue is not enabled");
    FakeInvocation refused = qsub("--bulk", "jobs");
    assertEquals("qsub: jobs lines 1-1: Queue is not enabled\n", refused.errors());
    assertEquals(173, site.status);
    site.answer(null);
    assertEquals("1.vm\n", qsub("--bulk", "jobs").output());
    assertNotEquals(site.sent.get(0).id(), site.sent.get(1).id());
  }

  @Test
  void bulkKeepsJobsOfDifferentShardsApart() throws Exception {
    site.put(ObjectKind.QUEUE, "wq1", "partition", "P1");
    site.put(ObjectKind.PARTITION, "P1", "shard", "5", "scheduler", "s1");
    files.put(
        "jobs", "-q workq -- a\n-q wq1 -- b\n-q workq -- c\n".getBytes(StandardCharsets.UTF_8));
    qsub("--bulk", "jobs");
    assertEquals(2, site.sent.size());
    assertEquals(0, site.sent.get(0).shard());
    assertEquals(2, ((SubmitJobs) site.sent.get(0).command()).getJobs().size());
    assertEquals(5, site.sent.get(1).shard());
  }

  @Test
  void bulkIgnoresANoteThatACrashCutShortAndNotesOnBehindIt() throws Exception {
    files.put("jobs", "-- a\n-- b\n".getBytes(StandardCharsets.UTF_8));
    qsub("--bulk", "jobs");
    String progress = new String(files.get("jobs.progress"), StandardCharsets.UTF_8);
    // The machine stopped while the chunk was being noted: it was not sent then.
    String cut = progress.substring(0, progress.indexOf("sent 0 ") + 12);
    files.put("jobs.progress", cut.getBytes(StandardCharsets.UTF_8));
    qsub("--bulk", "jobs");
    assertEquals(0, site.status);
    assertEquals(2, site.sent.size());
    FakeInvocation third = qsub("--bulk", "jobs");
    assertTrue(third.errors().contains("all 2 jobs of jobs were submitted before"), "said");
    assertEquals(2, site.sent.size(), "what the second run noted is found");
  }

  @Test
  void bulkReadsNoLineThatIsTooLongOrNoText() throws Exception {
    files.put("jobs", ("-- a\n-- " + "x".repeat(1 << 20)).getBytes(StandardCharsets.UTF_8));
    FakeInvocation longLine = qsub("--bulk", "jobs");
    assertEquals("qsub: jobs line 2 has more than 262144 bytes\n", longLine.errors());
    files.put("jobs", new byte[] {'-', '-', ' ', (byte) 0xff, '\n'});
    FakeInvocation noText = qsub("--bulk", "jobs");
    assertEquals("qsub: jobs line 1 is not UTF-8 text\n", noText.errors());
    assertEquals(2, site.status);
  }

  @Test
  void bulkMakesSmallerChunksOfJobsWithMuchInThem() throws Exception {
    String line = "-v BIG=" + "x".repeat(100_000) + " -- true\n";
    files.put("jobs", line.repeat(20).getBytes(StandardCharsets.UTF_8));
    FakeInvocation done = qsub("--bulk", "jobs");
    assertEquals("", done.errors());
    assertEquals(20, done.output().lines().count());
    for (FakeSite.Sent sent : site.sent) {
      int bytes = io.millrace.schemas.WireCodec.local().encode(sent.command()).length;
      assertTrue(bytes <= io.millrace.schemas.Topics.COMMAND_BYTES_MAX, "" + bytes);
    }
  }
}
