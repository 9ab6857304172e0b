package io.millrace.ops.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schemas.common.Attribute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyFileTest {

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("policy"), text);
  }

  private String refusal(String text) throws IOException {
    Path file = file(text);
    return assertThrows(IOException.class, () -> PolicyFile.read("p", file))
        .getMessage()
        .replace(folder.toString(), "DIR");
  }

  @Test
  void commentsAndWhatIsNoPolicyArePassedOver() throws IOException {
    Path file = file("# of the night\n\n scheduling = False\ncomment = a = b\n");
    assertEquals(List.of(), PolicyFile.read("p", file).attributes());
  }

  @Test
  void attributesAreThoseOfASchedulerObject() throws IOException {
    Path file = file("Strict_Ordering = t\nbackfill_depth=3\n");
    assertEquals(
        List.of(new Attribute("strict_ordering", "True"), new Attribute("backfill_depth", "3")),
        PolicyFile.read("p", file).attributes());
    assertEquals("DIR/policy line 1: 'esy' is no value of policy", refusal("policy = esy"));
    assertEquals("DIR/policy:1: 'fast' is no option of the scheduler", refusal("fast lane"));
    assertEquals("DIR/policy line 1: 'policy easy' is not NAME = VALUE", refusal("policy easy"));
  }

  @Test
  void aFormulaGoesByWhatATraceHas() throws IOException {
    Path file = file("job_sort_formula = -ncpus * walltime\n");
    assertEquals(
        List.of(new Attribute("job_sort_formula", "-ncpus * walltime")),
        PolicyFile.read("p", file).attributes());
    assertEquals(
        "DIR/policy line 1: jobs of a trace have no mem", refusal("job_sort_formula = ncpus*mem"));
    assertEquals(
        "DIR/policy line 2: no formula: it ends too early",
        refusal("policy = easy\njob_sort_formula = ncpus*"));
    assertEquals(
        "DIR/policy line 1: jobs under a threshold would never run",
        refusal("job_sort_formula_threshold = 5"));
  }

  @Test
  void aSchedulerMayDecideAsAGridEngine() throws IOException {
    OptionValues usual =
        PolicyFile.read("p", file("comment = x\npolicy = GridEngine")).gridEngine().get();
    assertEquals("20", usual.get("max_reservation"));
    assertEquals(SimulatedPolicy.named("gridengine").get().gridEngine().get(), usual);
    SimulatedPolicy strict =
        PolicyFile.read("p", file("policy = gridengine\nstrict_ordering = True"));
    assertTrue(strict.gridEngine().isEmpty(), "strict_ordering goes before the policy's name");
    assertEquals(
        "DIR/policy line 2: backfill_depth says nothing where policy is gridengine",
        refusal("policy=gridengine\nbackfill_depth=3"));
    assertEquals(
        "DIR/policy line 1: a trace has no use for the configuration of a cell; FILE may be the"
            + " settings of its scheduler, as qconf -ssconf prints them",
        refusal("gridengine_configuration = x"));
  }

  @Test
  void whatQconfPrintsIsAPolicyToo() throws IOException {
    Path file =
        file("# of a cell\n\nalgorithm   default\nmax_reservation 3\nparams \\\n  MONITOR=1\n");
    OptionValues settings = PolicyFile.read("p", file).gridEngine().get();
    assertEquals("3", settings.get("max_reservation"));
    assertEquals("MONITOR=1", settings.get("params"));
    assertEquals("0:0:15", settings.get("schedule_interval"));
    assertEquals(
        "DIR/policy:2: 'max_reservations' is no option of the scheduler (nearest:"
            + " max_reservation)",
        refusal("algorithm default\nmax_reservations 3"));
    assertEquals(
        "DIR/policy describes a cluster queue; a trace is replayed by the settings of a scheduler,"
            + " as qconf -ssconf prints them",
        refusal("qname all.q\nslots 1"));
  }

  @Test
  void whatIsWrongIsSaidWithItsLine() throws IOException {
    assertEquals("DIR/policy line 2: 'fast' is not NAME = VALUE", refusal("#\nfast"));
    assertEquals(
        "DIR/policy line 1: 'often' is no value of scheduler_iteration",
        refusal("scheduler_iteration = often"));
    assertEquals(
        "DIR/policy line 1: a scheduler has no attribute 'scheduler_iterations'; the nearest are"
            + " scheduler_iteration and scheduling",
        refusal("scheduler_iterations = 9").replaceFirst(" and \\w+$", " and scheduling"));
    Path binary = Files.write(folder.resolve("policy"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertEquals(
        binary + " is no text",
        assertThrows(IOException.class, () -> PolicyFile.read("p", binary)).getMessage());
  }
}
