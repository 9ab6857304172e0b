package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.simulator.Workload.SameSecond;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class TraceReaderTest {

  private static final String REST = " 1 -1 -1 -1 -1 -1 -1 -1";

  private static Trace read(byte[] bytes) {
    try {
      return TraceReader.read(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Trace read(String... lines) {
    return read(String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A line of 18 fields: number, submit, run, allocated, requested processors, requested time. */
  private static String line(long id, String submit, String run, String p, String q, String time) {
    return String.format(
        "%5d %8s -1 %6s %4s -1 -1 %4s %6s -1%s", id, submit, run, p, q, time, REST);
  }

  private static byte[] zip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    return bytes.toByteArray();
  }

  private static String jobs(Workload workload) {
    return workload.jobs().stream()
        .map(it -> it.id() + ":" + it.submitS() + "," + it.processors() + "," + it.estimateS())
        .collect(Collectors.joining(" "));
  }

  @Test
  void theHeaderMayHaveTextBehindItsNumbersAndKeysThatComeAgain() {
    Trace trace =
        read(
            "; Version: 2.2",
            ";MaxNodes: 338 (batch partition; 512 total)",
            "; maxprocs: -1",
            "; Queues: these are classes",
            ";          of their own: 3",
            "; UnixStartTime: 835823160",
            "; MaxNodes: 12");
    assertEquals(338, trace.processors());
    assertEquals(835823160, trace.startEpochS());
    assertEquals(List.of(7), trace.findings().lines(TraceFinding.HEADER_DIFFERS));
    assertEquals(64, read("; MaxNodes: 8", "; MaxProcs: 64").processors());
    assertEquals(0, read("; Version: 2").processors());
    assertEquals(0, read("; MaxProcs: 99999999999999999999999").processors());
  }

  @Test
  void aHeaderThatCannotBeIsIgnoredAndCounted() {
    for (String value :
        List.of("1,024", "4.5", "1e3", "many", "0", "-7", "10000000", "99999999999999999999")) {
      Trace trace = read("; MaxProcs: " + value, "; MaxNodes: 64");
      assertEquals(64, trace.processors(), value);
      assertEquals(List.of(1), trace.findings().lines(TraceFinding.HEADER_VALUE), value);
    }
    for (String value :
        List.of(
            "128",
            "+128",
            "128.0",
            "128 nodes",
            "128(x)",
            "128; 2 a node",
            "128, 2 a node",
            "128: all")) {
      Trace trace = read("; MaxProcs: " + value, "; MaxNodes: 64");
      assertEquals(128, trace.processors(), value);
      assertEquals(List.of(), trace.findings().sentences(), value);
    }
    assertEquals(9_999_999, read("; MaxProcs: 9999999").processors());
    assertEquals(List.of(), read("; MaxProcs: -1", "; MaxNodes:").findings().sentences());
  }

  @Test
  void aHeaderBehindJobsIsHeededAndCounted() {
    Trace trace =
        read("; MaxNodes: 8", line(1, "0", "10", "4", "8", "60"), "; MaxProcs: 16", "; Note: x");
    assertEquals(16, trace.processors());
    assertEquals(List.of(3), trace.findings().lines(TraceFinding.HEADER_LATE));
  }

  @Test
  void linesEndInAnyWayAndAByteOrderMarkSaysNothing() {
    String header = "; MaxProcs: 8";
    String one = line(1, "0", "10", "4", "8", "60");
    String two = line(2, "1", "10", "4", "8", "60");
    for (String end : List.of("\n", "\r\n", "\r")) {
      for (String mark : List.of("", "\u00ef\u00bb\u00bf")) {
        for (String last : List.of("", end)) {
          String text = mark + header + end + one + end + end + two + " 19" + last;
          Trace trace = read(text.getBytes(StandardCharsets.ISO_8859_1));
          assertEquals(8, trace.processors());
          assertEquals(2, trace.lines().size());
          assertEquals(List.of(4), trace.findings().lines(TraceFinding.LONG_LINE));
          assertEquals(1, trace.findings().sentences().size());
        }
      }
    }
  }

  @Test
  void aFractionBelowZeroIsCountedToo() {
    Trace trace = read(line(1, "-0.5", "10", "4", "8", "60"), line(2, "3", "-1.0", "4", "8", "60"));
    assertEquals(List.of(1), trace.findings().lines(TraceFinding.FRACTION));
    assertEquals(0, trace.lines().get(0).times().submitS());
    assertEquals(-1, trace.lines().get(1).times().runS());
  }

  @Test
  void processorsAndEstimatesFallBackToWhatWasUsed() {
    Trace trace =
        read(
            line(1, "0", "10", "4", "8", "60"),
            line(2, "1", "10", "4", "-1", "-1"),
            line(3, "2", "100", "4", "4", "60"));
    assertEquals("1:0,8,60 2:1,4,10 3:2,4,100", jobs(Workload.of(trace, 8, SameSecond.FILE)));
    assertEquals(List.of(), trace.findings().sentences());
  }

  @Test
  void whatCannotBeReplayedIsLeftOutAndCounted() {
    Trace trace =
        read(
            line(1, "0", "0", "4", "4", "60"),
            line(2, "0", "-1", "4", "4", "60"),
            line(3, "0", "9", "-1", "-1", "60"),
            line(4, "0", "9", "4", "9", "60"),
            line(5, "0", "9", "4", "8", "60"),
            line(6, "0", "9", "4", "4", "60").replace(REST, REST.replaceFirst("1", "3")));
    Workload workload = Workload.of(trace, 8, SameSecond.FILE);
    assertEquals("5:0,8,60", jobs(workload));
    assertEquals(
        List.of(
            "1 line of a part of a job that has a line of its own (status 2 to 4) left out (line"
                + " 6)",
            "2 lines without a run time (cancelled before the start, or unknown) left out"
                + " (lines 1, 2)",
            "1 line without processors left out (line 3)",
            "1 line with more processors than there are left out (line 4)"),
        workload.findings().sentences());
  }

  @Test
  void damagedLinesAreCountedWithTheirNumbers() {
    Trace trace =
        read(
            "; MaxProcs: 8",
            "",
            line(1, "5", "9", "4", "4", "60"),
            "2 5 9",
            line(3, "x", "9", "4", "4", "60"),
            line(4, "10000000000", "9", "4", "4", "60"),
            line(5, "-1", "9", "4", "4", "60"),
            line(6, "5.5", "9.0", "4", "4", "60"),
            line(6, "4", "9", "4", "4", "60") + " 19 words",
            "\u0000\u0001 \u00ff",
            line(7, "7", "-", "4", "4", "60") + "\r");
    Workload workload = Workload.of(trace, 8, SameSecond.FILE);
    assertEquals("6:4,4,60 1:5,4,60 6:6,4,60", jobs(workload));
    TraceFindings findings = workload.findings();
    assertEquals(List.of(4), findings.lines(TraceFinding.SHORT_LINE));
    assertEquals(List.of(5, 10, 11), findings.lines(TraceFinding.NOT_A_NUMBER));
    assertEquals(List.of(6), findings.lines(TraceFinding.TOO_LARGE));
    assertEquals(List.of(7), findings.lines(TraceFinding.NO_SUBMIT_TIME));
    assertEquals(List.of(8), findings.lines(TraceFinding.FRACTION));
    assertEquals(List.of(9), findings.lines(TraceFinding.LONG_LINE));
    assertEquals(List.of(9), findings.lines(TraceFinding.SAME_NUMBER));
    assertEquals(List.of(9), findings.lines(TraceFinding.OUT_OF_ORDER));
  }

  @Test
  void ofOneSecondTheShortestComesFirstUnlessTheFileIsToDecide() {
    Trace trace =
        read(
            line(1, "5", "9", "4", "4", "60"),
            line(2, "5", "3", "4", "4", "60"),
            line(3, "5", "9", "2", "2", "60"));
    assertEquals("2:5,4,60 3:5,2,60 1:5,4,60", jobs(Workload.of(trace, 8, SameSecond.SHORTEST)));
    assertEquals("1:5,4,60 2:5,4,60 3:5,2,60", jobs(Workload.of(trace, 8, SameSecond.FILE)));
  }

  @Test
  void aCompressedFileThatBreaksOffGivesTheLinesBeforeTheBreak() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 2000; i++) {
      text.append(line(i, "" + i * 7919L % 100_000, "9", "4", "4", "60")).append('\n');
    }
    byte[] whole = zip(text.toString());
    assertEquals(2000, read(whole).lines().size());
    Trace broken = read(Arrays.copyOf(whole, whole.length / 2));
    int there = broken.lines().size();
    assertTrue(there > 500 && there < 2000, "" + there);
    assertEquals(List.of(there), broken.findings().lines(TraceFinding.BROKEN_OFF));
    assertEquals(0, read(whole).findings().count(TraceFinding.BEHIND_END));
    byte[] part = zip(line(1, "0", "9", "4", "4", "60") + "\n");
    Trace twice = read(joined(part, part));
    assertEquals(2, twice.lines().size());
    assertEquals(0, twice.findings().count(TraceFinding.BEHIND_END));
    Trace more = read(joined(part, line(2, "0", "9", "4", "4", "60").getBytes()));
    assertEquals(1, more.lines().size());
    assertEquals(List.of(1), more.findings().lines(TraceFinding.BEHIND_END));
    assertEquals(1, read(joined(part, new byte[] {'x'})).findings().count(TraceFinding.BEHIND_END));
    byte[] cut = Arrays.copyOf(whole, 5);
    assertEquals(1, read(cut).findings().count(TraceFinding.BROKEN_OFF));
  }

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  @Test
  void anythingAtAllCanBeRead() {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random.nextInt(20_000)];
      random.nextBytes(bytes);
      if (i % 2 == 0) {
        for (int k = 0; k < bytes.length; k++) {
          bytes[k] = (byte) " 0123456789.-;\n:e".charAt((bytes[k] & 0xff) % 17);
        }
      }
      if (i % 3 == 0 && bytes.length > 1) {
        bytes[0] = 0x1f;
        bytes[1] = (byte) 0x8b;
      }
      Workload.of(read(bytes), 100, SameSecond.SHORTEST);
    }
  }
}
