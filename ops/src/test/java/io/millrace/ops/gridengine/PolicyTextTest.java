package io.millrace.ops.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.gridengine.options.Refused;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What check and explain say about texts of each kind of object. */
class PolicyTextTest {

  @Test
  void theKindIsRecognised() {
    assertEquals(
        "the scheduler, 1 options set, all valid",
        PolicyText.parse("f", "max_reservation 20\n").summary());
    assertEquals(
        "a cluster queue, 2 options set, all valid",
        PolicyText.parse("f", "qname all.q\nslots 4\n").summary());
    assertEquals(
        "a parallel environment, 1 options set, all valid",
        PolicyText.parse("f", "pe_name mpi\n").summary());
    assertEquals(
        "a host group, 2 options set, all valid",
        PolicyText.parse("f", "group_name @all\nhostlist a b c d e f g\n").summary());
    assertEquals(
        "the complex, 2 attributes, all valid",
        PolicyText.parse("f", "hostname h HOST == YES NO NONE 0\nslots s INT <= YES YES 1 1000\n")
            .summary());
  }

  @Test
  void explainSaysWhatASetOptionChanges() {
    List<String> lines = PolicyText.parse("f", "max_reservation 0\nparams MONITOR=1\n").explain();
    assertEquals(
        "max_reservation = 0 (as usual): How many waiting jobs with -R y are promised a start in one"
            + " run.",
        lines.get(0));
    assertTrue(
        lines.contains("MONITOR = 1: Whether each run adds a section to the file schedule."));
  }

  @Test
  void anUnknownTextIsTakenForTheSchedulers() {
    assertEquals(
        "f:1: 'max_reservatoin' is no option of the scheduler (nearest: max_reservation)",
        assertThrows(Refused.class, () -> PolicyText.parse("f", "max_reservatoin 3\n"))
            .getMessage());
  }

  @Test
  void suspensionByLoadIsRefusedAndSaidToDoNothing() {
    assertEquals(
        "f:2: suspend_thresholds is np_load_avg=1.75, but Millrace only knows NONE, then exceptions"
            + " [HOST=...] or [@GROUP=...], each once, where it differs",
        assertThrows(
                Refused.class,
                () -> PolicyText.parse("f", "qname q\nsuspend_thresholds np_load_avg=1.75\n"))
            .getMessage());
    List<String> lines =
        PolicyText.parse("f", "qname q\nsuspend_thresholds NONE\nnsuspend 3\n").explain();
    assertTrue(
        lines.contains("    Only NONE is accepted: no job is suspended for its host's load here."));
    assertEquals(
        "    Nothing: suspend_thresholds is NONE, so no load suspends a job.",
        lines.get(lines.size() - 1));
  }
}
