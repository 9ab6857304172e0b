package io.millrace.server.gateway.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.PastReservation;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import io.millrace.server.gateway.command.RecordedReservations;
import io.millrace.server.gateway.operand.TextLines;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** tracejob over files as PBS has them. */
class TracejobTest {

  private static final String HOME = "/var/spool/pbs/";
  private static final String QUEUED =
      "Job Queued at request of pbsu1@vm, owner = pbsu1@vm, job name = d1, queue = workq";

  private static final long ENDED = Instant.parse("2026-11-20T15:41:20Z").toEpochMilli();

  private final FakeSite site = new FakeSite();
  private final Map<String, byte[]> files = new HashMap<>();

  private void file(String path, String... lines) {
    files.put(path, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private FakeInvocation tracejob(String... args) throws Exception {
    List<String> line = new ArrayList<>(List.of("tracejob"));
    line.addAll(List.of(args));
    return site.run(new FakeInvocation("root", line, files, site.id()));
  }

  private void logs() {
    file(
        HOME + "server_logs/20261120",
        "11/20/2026 15:35:42;0100;Server@vm;Job;52.vm;enqueuing into workq, state Q hop 1",
        "11/20/2026 15:35:42;0008;Server@vm;Job;52.vm;" + QUEUED,
        "11/20/2026 15:35:42;0008;Server@vm;Job;521.vm;" + QUEUED,
        "11/20/2026 15:35:46;0010;Server@vm;Job;52.vm;Exit_status=0 a;b",
        "a line of another kind");
    file(HOME + "sched_logs/20261120", "11/20/2026 15:35:42;0040;pbs_sched;Job;52.vm;Job run");
    file(HOME + "server_priv/accounting/20261120", "11/20/2026 15:35:43;S;52.vm;user=pbsu1 ");
    file(HOME + "server_logs/20261119", "11/19/2026 23:59:59;0008;Server@vm;Job;52.vm;before");
  }

  @Test
  void allFilesOfTheDayByTime() throws Exception {
    logs();
    assertEquals(
        "\nJob: 52.vm\n\n"
            + "11/20/2026 15:35:42  S    enqueuing into workq, state Q hop 1\n"
            + "11/20/2026 15:35:42  S    "
            + QUEUED
            + "\n"
            + "11/20/2026 15:35:42  L    Job run\n"
            + "11/20/2026 15:35:43  A    user=pbsu1 \n"
            + "11/20/2026 15:35:46  S    Exit_status=0 a;b\n",
        tracejob("52").output());
  }

  @Test
  void optionsChooseAmongThem() throws Exception {
    logs();
    assertEquals(3, tracejob("-a", "-l", "52").output().lines().skip(3).count());
    assertEquals(6, tracejob("-n", "2", "52.vm").output().lines().skip(3).count());
    assertTrue(tracejob("-n2", "52").output().contains("11/19/2026 23:59:59  S    before\n"));
    assertEquals(3, tracejob("-f", "job", "-f", "debug2", "52").output().lines().skip(3).count());
    assertEquals(4, tracejob("-f", "8", "52").output().lines().skip(3).count());
    assertTrue(
        tracejob("-w", "60", "52")
            .output()
            .contains(
                "S    Job Queued at request of pbsu1@vm,\n"
                    + " ".repeat(26)
                    + "owner = pbsu1@vm, job name = d1,\n"));
    FakeInvocation none = tracejob("-sal", "-v", "-n", "3", "52");
    assertEquals(
        "\ntracejob: Couldn't find Job Id 52.vm in logs of past 3 days\n\n", none.errors());
    assertEquals(1, site.status);
    assertTrue(tracejob("-v", "52").errors().isEmpty());
    assertTrue(tracejob("-v", "-p", "/x", "52").errors().startsWith("/x/server_priv/accounting/"));
  }

  @Test
  void manyEqualTextsAreShownOnce() throws Exception {
    String line = "11/20/2026 15:35:42;0008;Server@vm;Job;52.vm;again";
    file(HOME + "server_logs/20261120", "x", String.join("\n", Collections.nCopies(20, line)));
    assertEquals(1, tracejob("52").output().lines().skip(3).count());
    assertEquals(20, tracejob("-z", "52").output().lines().skip(3).count());
    assertEquals(20, tracejob("-c", "21", "52").output().lines().skip(3).count());
  }

  @Test
  void aNameThatSpansLinesMakesNone() throws Exception {
    Job job = Jobs.fromScript(52, JobStatus.RUNNING);
    job.getSpec().setName("x\n11/20/2026 15:35:42 S     Job deleted\u001b[2J");
    site.jobs.put(52L, job);
    String told = tracejob("-w", "200", "52").output();
    assertTrue(told.contains("x^J11/20/2026 15:35:42 S     Job deleted^[[2J, queue"), told);
  }

  @Test
  void theServersOwnMemoryIsAheadOfItsLog() throws Exception {
    logs();
    site.jobs.put(52L, Jobs.fromScript(52, JobStatus.RUNNING));
    String told = tracejob("52").output();
    assertTrue(told.contains("job name = fromscript"), told);
    assertTrue(!told.contains("job name = d1"), told);
    assertTrue(told.contains("enqueuing into workq"), told);
    assertTrue(tracejob("-p", "/var/spool/pbs", "52").output().contains("job name = d1"));
  }

  @Test
  void ofAReservationTheRecordTellsWhatTheLogUsuallyLeavesOut() throws Exception {
    site.past.add(new PastReservation(RecordedReservations.r73(), ENDED, ENDED, "no room"));
    String begun = "11/20/2026 15:40:53  S    New reservation requested by pbsu1@vm\n";
    String asked = "11/20/2026 15:40:53  A    requestor=pbsu1@vm\n";
    String end = "11/20/2026 15:41:20  S    reservation deleted";
    file(
        HOME + "server_priv/accounting/20261120",
        "11/20/2026 15:40:53;U;R73.vm;requestor=pbsu1@vm");
    String deleted = "11/20/2026 15:41:20;0080;Server@vm;Resv;R73.vm;reservation deleted";
    file(HOME + "server_logs/20261120", deleted);
    String head = "\nJob: R73.vm\n\n";
    assertEquals(head + begun + asked + end + ": no room\n", tracejob("R73").output());
    assertEquals(head + asked, tracejob("-s", "R73.vm").output());
    String logged = "11/20/2026 15:40:53;0200;Server@vm;Resv;R73.vm;New reservation";
    file(HOME + "server_logs/20261120", logged, deleted);
    String all = "11/20/2026 15:40:53  S    New reservation\n";
    assertEquals(head + all + asked + end + "\n", tracejob("R73").output());
  }

  @Test
  void aWrongCommandLineGetsTheUsage() throws Exception {
    for (String[] args :
        new String[][] {
          {}, {"-n", "x", "1"}, {"-f", "nosuch", "1"}, {"-w", "", "1"}, {"-c", "1x"}
        }) {
      String usage = tracejob(args).output();
      assertTrue(usage.startsWith("USAGE: tracejob [-a|s|l|m|v] [-w size] [-p path]"), usage);
      assertTrue(usage.endsWith("default prefix path = /var/spool/pbs\nfilter_excessive: ON\n"));
      assertEquals(1, site.status);
    }
  }

  @Test
  void aLongLineIsPassedOver() throws Exception {
    String line = "11/20/2026 15:35:42;0008;Server@vm;Job;52.vm;";
    String log = HOME + "server_logs/20261120";
    file(log, line + "a", line + "x".repeat(TextLines.LINE_BYTES_MAX), line + "b");
    assertEquals(List.of("a", "b"), texts(tracejob("52")));
    files.put(log, (line + "caf\u00e9").getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(List.of("caf\ufffd"), texts(tracejob("52")));
  }

  private static List<String> texts(FakeInvocation told) {
    return told.output().lines().skip(3).map(it -> it.substring(26)).toList();
  }

  @Test
  void aFileWithoutEndFillsNoMemory() throws Exception {
    String line = "11/20/2026 15:35:42;0008;Server@vm;Job;52.vm;";
    InputStream text = new ByteArrayInputStream((line + "a\n").getBytes(StandardCharsets.UTF_8));
    TracedFileLines lines =
        new TracedFileLines(new SequenceInputStream(text, new Zeros()), 4 << 20);
    assertEquals(line + "a", lines.next());
    assertNull(lines.next());
    assertEquals(2, lines.number());
    assertTrue(lines.bytes() <= (4 << 20) + 1);
  }

  /** What /dev/zero gives. */
  private static final class Zeros extends InputStream {
    @Override
    public int read() {
      return 0;
    }

    @Override
    public int read(byte[] to, int from, int length) {
      Arrays.fill(to, from, from + length, (byte) 0);
      return length;
    }
  }

  @Test
  void whatIsKeptIsBoundedAndThatIsSaidOnce() throws Exception {
    String line = "11/20/2026 15:35:42;0008;Server@vm;Job;52.vm;" + "x".repeat(200_000);
    file(HOME + "server_logs/20261120", String.join("\n", Collections.nCopies(50, line)));
    file(HOME + "server_logs/20261119", line);
    FakeInvocation told = tracejob("-z", "-n2", "52");
    assertEquals(41, told.output().lines().skip(3).count());
    assertEquals(
        "tracejob: the logs are larger than it looks at, lines are left out\n", told.errors());
  }
}
