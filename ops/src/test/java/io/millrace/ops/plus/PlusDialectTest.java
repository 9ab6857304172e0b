package io.millrace.ops.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.schemas.common.Attribute;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** By what a sched_conf is known, and what check, explain and load say of it. */
class PlusDialectTest {

  private final PlusDialect dialect = new PlusDialect();

  @Test
  void aTextIsKnownByWhatStandsInItAndAFolderByItsFiles() {
    assertTrue(dialect.knows(Map.of("mine", "JobSortKey: JobPriority\n")));
    assertFalse(dialect.knows(Map.of("sched_conf", "max_reservation 20\n")));
    assertEquals(List.of("sched_conf"), dialect.filesOf(List.of("sched_conf")));
    assertEquals(
        List.of("reservable.ad", "sched_conf"),
        dialect.filesOf(List.of("plus.jar", "reservable.ad", "sched_conf", "x.db4o")));
    // A folder of Grid Engine's texts, one of which has this name.
    assertEquals(List.of(), dialect.filesOf(List.of("complex", "sched_conf")));
    assertEquals(List.of(), dialect.filesOf(List.of("reservable.ad")));
  }

  @Test
  void allFilesOfItsFolderAreChecked() {
    PolicyDialect.PolicyReading reading =
        dialect.read(
            Map.of(
                "sched_conf", "JobSortKey: Priority\n",
                "reservable.ad", "[ x = ]"),
            false);
    assertEquals(2, reading.refusals().size());
    assertTrue(
        reading
            .refusals()
            .contains(
                "sched_conf:1: 'Priority' is none of the keys of jobs (nearest: JobPriority)"));
    assertTrue(reading.refusals().stream().anyMatch(it -> it.startsWith("reservable.ad:1: ")));
  }

  @Test
  void notesAndExplanation() {
    PolicyDialect.PolicyReading reading = dialect.read(Map.of("mine", "OwnersOrder: ann\n"), false);
    assertEquals(List.of(), reading.refusals());
    assertEquals(
        List.of("mine:1: OwnersOrder decides nothing without OwnersName in JobSortKey"),
        reading.notes());
    assertTrue(reading.explanation().get(0).startsWith("JobSortKey: QueuePriority, ByQueue,"));
  }

  @Test
  void loadSetsTheAttributesAndSaysWhatItLeaves() {
    Map<String, String> texts =
        Map.of(
            "sched_conf", "JobSortKey: SubmitTime\nNodeSortKey: LowestLoadAverage\n",
            "reservable.ad", "PLUS_NODE_RESERVABLE = true");
    List<Attribute> attributes = dialect.attributes(texts).orElseThrow();
    assertTrue(
        attributes.stream()
            .anyMatch(
                it ->
                    it.getName().equals("job_sort_key")
                        && it.getValue().equals("submit_time LOW")));
    assertTrue(
        attributes.stream()
            .anyMatch(
                it -> it.getName().equals("node_sort_key") && it.getValue().equals("loadave LOW")));
  }
}
