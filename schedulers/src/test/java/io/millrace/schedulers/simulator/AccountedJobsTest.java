package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AccountedJobsTest {

  private static final String DAY = "11/20/2026 15:36:03;";

  private static Trace read(String... files) throws IOException {
    AccountedJobs jobs = new AccountedJobs();
    for (String file : files) {
      jobs.read(new ByteArrayInputStream(file.getBytes(StandardCharsets.ISO_8859_1)));
    }
    return jobs.trace();
  }

  private static String end(String id, String times, String text) {
    return DAY + "E;" + id + ";user=mary group=staff jobname=x queue=workq " + times + text + "\n";
  }

  /** Job, submission, wait, run, processors and requested time. */
  private static String text(Trace.TraceLine line) {
    Trace.TraceTimes times = line.times();
    return line.job()
        + ":"
        + times.submitS()
        + "+"
        + times.waitS()
        + "+"
        + times.runS()
        + " "
        + line.sizes().requested()
        + " "
        + times.requestedS();
  }

  private static List<String> lines(Trace trace) {
    return trace.lines().stream().map(AccountedJobsTest::text).toList();
  }

  @Test
  void aJobOfPbs() throws IOException {
    Trace trace =
        read(
            DAY + "Q;1.vm;user=mary queue=workq\n",
            DAY + "S;1.vm;user=mary start=1010\n",
            end(
                "1.vm",
                "ctime=1000 qtime=1000 etime=1004 start=1010 end=1070 ",
                "exec_host=vm/0*2+vm/1*2 Resource_List.ncpus=4 Resource_List.walltime=00:02:00"));
    assertEquals(List.of("1:0+6+60 4 120"), lines(trace));
    assertEquals(1004, trace.startEpochS());
    assertEquals(4, trace.processors());
    Trace.TraceSubmitter by = trace.lines().get(0).submitter();
    assertEquals("mary staff workq", by.userName() + " " + by.groupName() + " " + by.queueName());
    assertEquals(List.of(), trace.findings().sentences());
  }

  @Test
  void whatIsHeldWaitsOnlySinceItCouldRun() throws IOException {
    Trace trace =
        read(
            end("1.vm", "ctime=900 qtime=1000 etime=0 start=1010 end=1011 ", "exec_host=a/0"),
            end("2.vm", "ctime=900 qtime=0 etime=0 start=910 end=911 ", "exec_host=a/0"),
            end("3.vm", "ctime=900 qtime=900 etime=950 start=940 end=940 ", "exec_host=a/0"));
    assertEquals(List.of("1:100+10+1 1 -1", "2:0+10+1 1 -1", "3:50+0+1 1 -1"), lines(trace));
  }

  @Test
  void processorsAreThoseOfExecHostWhereNothingElseIsTold() throws IOException {
    String times = "qtime=1000 start=1000 end=1001 ";
    Trace trace =
        read(
            end("1.vm", times, "exec_host=n1/0*4+n2/1"),
            end("2.vm", times, "exec_host=n1/0-3+n2/1,4-5"),
            end("3.vm", times, "exec_host=n1/0+n1/1"),
            end("4.vm", times, ""),
            end("5.vm", times, "exec_host=n1/0+n1/1+n1/2 Resource_List.ncpus=1"));
    assertEquals(
        List.of("1:0+0+1 5 -1", "2:0+0+1 7 -1", "3:0+0+1 2 -1", "4:0+0+1 0 -1", "5:0+0+1 3 -1"),
        lines(trace));
    assertEquals(17, trace.processors());
  }

  @Test
  void quotedValuesHideNothing() throws IOException {
    String account = "account=\"start=1 end=2\" project='say \"end=3\"' ";
    Trace trace =
        read(end("7[3].vm", account + "qtime=1000 start=1005 end=1010 ", "exec_host=a/0"));
    Trace.TraceLine line = trace.lines().get(0);
    assertEquals(5, line.times().waitS());
    TraceJob job = Workload.of(trace, 4, Workload.SameSecond.FILE).jobs().get(0);
    assertEquals("7[3]", job.name());
  }

  @Test
  void theMostThatWasInUseAtOnceIsTheMachine() throws IOException {
    String one = "Resource_List.ncpus=3";
    Trace trace =
        read(
            end("1.vm", "qtime=1000 start=1000 end=1010 ", one),
            end("2.vm", "qtime=1000 start=1010 end=1020 ", one),
            end("3.vm", "qtime=1000 start=1015 end=1030 ", one));
    assertEquals(6, trace.processors());
  }

  @Test
  void whatEndedInItsFirstSecondIsAsLargeAsOthers() throws IOException {
    Trace trace =
        read(
            end("1.vm", "qtime=5 start=9 end=9 ", "Resource_List.ncpus=8"),
            end("2.vm", "qtime=5 start=9 end=9 ", "Resource_List.ncpus=5000000000"));
    assertEquals(8, trace.processors(), "more than any machine has is a mistake");
  }

  @Test
  void ofAnArrayItsSubjobsCount() throws IOException {
    String one = "Resource_List.ncpus=1";
    Trace trace =
        read(
            end("7[0].vm", "qtime=1000 start=1000 end=1010 ", one),
            end("7[].vm", "qtime=1000 start=1000 end=2000 ", one));
    assertEquals(List.of(JobNumbers.subjob(7, 0) + ":0+0+10 1 -1"), lines(trace));
    assertEquals(1, trace.processors());
  }

  /** Tried within the word, a name would cost hours. */
  @Test
  @Timeout(120)
  void aLongWordCostsNoMoreThanItsLength() throws IOException {
    String word = "x".repeat(4_000_000);
    Trace trace = read(end("1.vm", "qtime=5 start=6 end=7 " + word + " ", "exec_host=a/0"));
    assertEquals(List.of("1:0+1+1 1 -1"), lines(trace));
  }

  @Test
  void whatIsNoJobIsToldAndLeftOut() throws IOException {
    Trace trace =
        read(
            DAY + "S;1.vm;start=1\nwhat is this\n" + DAY + "R;2.vm;start=1 end=5\n\n",
            DAY + "S;2.vm;start=6\n" + end("3.vm", "qtime=1000 start=1010 end=1009 ", ""),
            end("4.vm", "qtime=1000 start=99999999999 end=99999999999 ", ""),
            end("x", "qtime=1000 start=1000 end=1001 ", ""));
    assertEquals(List.of(), lines(trace));
    assertEquals(
        List.of(
            "1 line that are no records of accounting, skipped (line 2)",
            "2 lines of ends without the times of their jobs, skipped (lines 6, 8)",
            "1 line of a run after which its job waited again, left out (line 3)",
            "2 lines of a run that has not ended in these files, left out (lines 1, 5)",
            "1 line without a run time (cancelled before the start, or unknown) left out (line 7)"),
        trace.findings().sentences());
  }

  @Test
  void aLineOfManyNodesIsReadWhole() throws IOException {
    String hosts = "node/0*2" + "+node/0*2".repeat(50_000);
    Trace trace = read(end("1.vm", "exec_host=" + hosts + " qtime=5 start=6 ", "end=7"));
    assertEquals(List.of("1:0+1+1 100002 -1"), lines(trace));
  }

  private static String cell(String number, String times, String failed, String more) {
    return "all.q:node01:staff:mary:B0:"
        + number
        + ":sge:0:"
        + times
        + ":"
        + failed
        + ":0:5:0.002756:0.005554:4864.000000:0:0:0:0:561:0:0:0.000000:8:0:0:0:12:5:NONE:"
        + "defaultdepartment:"
        + more
        + ":3198976.000000:0:0\n";
  }

  @Test
  void linesOfAGridEngine() throws IOException {
    String one = "NONE:1:0:0.008310:0.000000:0.000033:-l h_rt=6:0.000000:NONE";
    String task = "mpi:12:3:0.008310:0.000000:0.000033:-pe mpi 12:0.000000:NONE";
    String part = "mpi:12:0:0.008310:0.000000:0.000033:-pe mpi 12:0.000000:2.node02";
    Trace trace =
        read(
            "# Version: 8.1.9\n"
                + cell("91", "1000:1003:1008", "0", one)
                + cell("92", "1001:1003:1013", "37", task)
                + cell("92", "1001:1003:1013", "0", part)
                + cell("93", "1001:1004:1013", "25", one)
                + cell("94", "0:0:0", "21", one));
    assertEquals(List.of("91:0+3+5 1 6", JobNumbers.subjob(92, 3) + ":1+2+10 12 -1"), lines(trace));
    assertEquals(13, trace.processors());
    Trace.TraceSubmitter by = trace.lines().get(0).submitter();
    assertEquals("mary staff all.q", by.userName() + " " + by.groupName() + " " + by.queueName());
    assertEquals(
        List.of(
            "1 line of a run after which its job waited again, left out (line 5)",
            "1 line without a run time (cancelled before the start, or unknown) left out (line 6)"),
        trace.findings().sentences());
  }

  @Test
  void aTimeLimitOfACellMayBeAClock() throws IOException {
    String head = "NONE:1:0:0.008310:0.000000:0.000033:-l h_rt=";
    String tail = " -q all.q:0.000000:NONE";
    String times = "1000:1003:1008";
    Trace trace =
        read(
            cell("91", times, "0", head + "1:0:5" + tail)
                + cell("92", times, "0", head + ":2:" + tail)
                + cell("93", times, "0", head + "3600" + tail));
    assertEquals(List.of("91:0+3+5 1 3605", "92:0+3+5 1 120", "93:0+3+5 1 3600"), lines(trace));
  }

  @Test
  void recordedIsWhatHappened() throws IOException {
    Trace trace =
        read(
            end("1.vm", "qtime=1000 start=1000 end=1100 ", "Resource_List.ncpus=1"),
            end("2.vm", "qtime=1001 start=1500 end=1600 ", "Resource_List.ncpus=1"));
    Workload workload = Workload.of(trace, trace.processors(), Workload.SameSecond.FILE);
    Schedule recorded = simulate(workload, "recorded");
    assertEquals(499, recorded.waitS(1));
    assertEquals(99, simulate(workload, "easy").waitS(1));
    Workload unknown =
        new Workload(1, 0, List.of(new TraceJob(1, 0, 1, 1, 1)), new TraceFindings());
    String refused =
        assertThrows(IllegalStateException.class, () -> simulate(unknown, "recorded")).getMessage();
    assertEquals("the trace does not tell how long 1 of its jobs waited", refused);
  }

  private static Schedule simulate(Workload workload, String policy) {
    return Simulation.run(workload, SimulatedPolicy.named(policy).orElseThrow(), (done, all) -> {});
  }

  @Test
  void whatIsAccountingIsSeenByItsFirstLine() {
    assertTrue(AccountedJobs.isRecord(DAY + "S;1.vm;user=mary"));
    assertTrue(AccountedJobs.isRecord(DAY + "L;license;floating license hour:1"));
    assertFalse(AccountedJobs.isRecord("; MaxProcs: 4"));
    assertFalse(AccountedJobs.isRecord("1 0 -1 100 2 -1 -1 2 100 -1 1 -1 -1 -1 -1 -1 -1 -1"));
  }

  @Test
  void randomBytesStopNothing() throws IOException {
    Random random = new Random(20261120);
    String good =
        end("1.vm", "qtime=1000 start=1000 end=1100 ", "exec_host=a/0*2+b/1-3 account=\"a b\"");
    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = new StringBuilder(good);
      for (int k = random.nextInt(6); k >= 0; k--) {
        text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
      }
      Trace trace = read(text.toString());
      Workload.of(trace, 4, Workload.SameSecond.SHORTEST);
      assertTrue(trace.lines().size() <= 1);
    }
  }
}
