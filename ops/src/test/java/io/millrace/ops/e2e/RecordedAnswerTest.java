package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The ignored parts of a table hide no other difference. */
class RecordedAnswerTest {

  private static final String WAITS =
      row(18, "0.50700", "lic6w      alice        qw ") + row(8, "0.00000", "held  alice  hqw");

  private static final String USED =
      "      1 0.50500 0.50000 sleeper    alice        NA               defaultdep r     "
          + "%s     0     0     0     0     0 0.00  all.q@vm                           1        \n";

  private static String row(int job, String priority, String rest) {
    return "%7d %s %s   11/20/2026 15:32:49                  1        \n"
        .formatted(job, priority, rest);
  }

  private static String difference(String recorded, String here) throws Exception {
    RecordedAnswer answers = new RecordedAnswer(Map.of(), "vm", UnaryOperator.identity());
    return answers.difference(
        new Recording.Entry("alice", "qstat", recorded, "", 0),
        new Shell.Answer("qstat", 0, here, "", 1));
  }

  @Test
  void thePriorityOfTheJobThatWasNotLookedAtIsLeftOut() throws Exception {
    String late = row(37, "0.00000", "sleep      sgeadmin     qw ");
    String first = row(37, "0.50500", "sleep      sgeadmin     qw ");
    assertEquals("", difference(WAITS + late, first + WAITS));
    assertNotEquals("", difference(WAITS + late, WAITS), "it is not there");
    assertNotEquals("", difference(WAITS + late, first.replace(" qw ", " r  ") + WAITS));
    assertNotEquals("", difference(WAITS + late, first + WAITS.replace("0.50700", "0.50500")));
  }

  @Test
  void theUsageOfARunningJobIsLeftOut() throws Exception {
    String recorded = USED.formatted("0:00:00:00 0.00000 0.00003");
    String here = USED.formatted("NA         NA      NA     ");
    assertEquals("", difference(recorded, here));
    assertNotEquals("", difference(recorded, here.replace(" 0.00 ", " 0.50 ")));
    assertNotEquals("", difference(recorded, here.replace("NA      NA     ", "NA      NA      ")));
    assertNotEquals("", difference(recorded, here.replace(" defaultdep", " other")));
  }

  @Test
  void onlyKeptMomentsOfReservationsAreCompared() throws Exception {
    String row = "      7 parar      alice        w     11/20/2026 15:38:%s  11/20/2026 15:38:41\n";
    assertEquals("", moments("qrstat", row.formatted("12"), row.formatted("13")));
    assertNotEquals("", moments("qrstat", row.formatted("11"), row.formatted("13")));
    assertEquals("", moments("qstat", row.formatted("11"), row.formatted("13")));
  }

  private static String moments(String line, String recorded, String here) throws Exception {
    RecordedAnswer answers = new RecordedAnswer(Map.of(), "vm", UnaryOperator.identity());
    answers.keep(moment -> moment.endsWith(":11"));
    return answers.difference(
        new Recording.Entry("alice", line, recorded, "", 0),
        new Shell.Answer(line, 0, here, "", 1));
  }

  @Test
  void whatQacctMeasuredIsLeftOut() throws Exception {
    String row =
        "    7%13s         0.008         0.000         0.008              0.000"
            + "              0.000              0.000\n";
    assertEquals("", difference(row.formatted("5"), row.formatted("1108").replace("8 ", "9 ")));
    assertNotEquals("", difference(row.formatted("5"), row.replace("    7", "    8").formatted(5)));
    assertNotEquals("", difference(row.formatted("5"), row.replace("%13s", "%12s").formatted("5")));
  }

  @Test
  void asManyLastLinesAsTheRecordingShowsAreCompared() throws Exception {
    assertEquals("qstat -j x", RecordedAnswer.uncut("qstat -j x | tail -2"));
    assertEquals("", cut("usage         1:      cpu=1\nb\n", "a\nb\n"));
    assertNotEquals("", cut("a\nb\n", "c\nb\n"));
  }

  private static String cut(String recorded, String here) throws Exception {
    RecordedAnswer answers = new RecordedAnswer(Map.of(), "vm", UnaryOperator.identity());
    return answers.difference(
        new Recording.Entry("alice", "qstat -j x | tail -2", recorded, "", 0),
        new Shell.Answer("qstat -j x", 0, here, "", 1));
  }
}
