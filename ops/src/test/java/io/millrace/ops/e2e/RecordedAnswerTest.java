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
}
