package io.millrace.ops.schedconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.dialect.PolicyDialect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** By what the files of a PBS scheduler are known, and what check and explain say of them. */
class SchedConfigDialectTest {

  private final SchedConfigDialect dialect = new SchedConfigDialect();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# mine\nby_queue: true prime\n",
        "YEAR 2026\nweekday 0600 1730\n",
        "# none yet\n11/24/2026 08:00 11/24/2026 09:00\n",
        "grp1 50 root 60\nu1 60 grp1 10\n"
      })
  void aFileIsKnownByWhatStandsInIt(String text) {
    assertTrue(dialect.knows(Map.of("file", text)));
    assertEquals(List.of(), dialect.read(Map.of("file", text), false).refusals());
  }

  @ParameterizedTest
  @ValueSource(strings = {"max_reservation 20\n", "qname all.q\nslots 4\n", "policy = easy\n", ""})
  void textsOfOthersAreNot(String text) {
    assertFalse(dialect.knows(Map.of("file", text)));
  }

  @Test
  void besideSchedConfigOnlyItsOwnFilesAreRead() {
    assertEquals(
        List.of("holidays", "sched_config"),
        dialect.filesOf(List.of("holidays", "sched.lock", "sched_config", "usage")));
    assertEquals(List.of(), dialect.filesOf(List.of("sched", "complex")));
  }

  @Test
  void wrongLinesOfAllFilesAreToldAndLeniencyMakesThemNotes() {
    Map<String, String> texts =
        Map.of(
            "sched_config", "dedicated_prefix: ded\nby_queue: perhaps\n",
            "resource_group", "u1 60 nowhere 10\n");
    List<String> refusals =
        List.of(
            "sched_config:2: by_queue is 'perhaps', but must be true or false; OpenPBS takes it for"
                + " true",
            "resource_group:1: there is no 'nowhere' above; a parent stands before its children;"
                + " OpenPBS logs so and passes over the line");
    assertEquals(refusals, dialect.read(texts, false).refusals());
    PolicyDialect.PolicyReading lenient = dialect.read(texts, true);
    assertEquals(List.of(), lenient.refusals());
    assertEquals(refusals, lenient.notes());
  }

  @Test
  void explainSaysWhatIsSet() {
    List<String> lines =
        dialect
            .read(
                Map.of(
                    "sched_config", "by_queue: true prime\n",
                    "holidays", "YEAR 2026\n",
                    "resource_group", "a 1 root 30\nb 2 root 10\n"),
                false)
            .explanation();
    assertEquals(
        "by_queue = true in prime time: all jobs of a queue come before those of the next, queues"
            + " by Priority",
        lines.get(0));
    assertTrue(lines.contains("prime time: by the hours and holidays of 2026"), lines.toString());
    assertTrue(lines.contains("share of a: 75.00 % of everything"), lines.toString());
  }
}
