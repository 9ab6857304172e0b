package io.millrace.connectors.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which commands are given, and what is made of their answers together. */
class SgeSystemTest {

  /** To a number that qmaster does not know. */
  private static final String UNKNOWN =
      "<?xml version='1.0'?>\n<unknown_jobs >\n    <ST_name>999999</ST_name>\n</unknown_jobs>\n";

  @TempDir Path folder;

  private final List<String> asked = new ArrayList<>();
  private final Map<String, OutsideAnswer> answers = new HashMap<>();
  private SgeSystem cell;

  @BeforeEach
  void aCell() throws Exception {
    List<String> lines =
        List.of(
            "name = c1",
            "system = gridengine",
            "sge_root = /sge",
            "spool = /spool",
            "as = sudo",
            "user.alice = alice");
    Path file = Files.write(folder.resolve("c1.properties"), lines);
    cell = new SgeSystem(ClusterFile.read(file, List.of(new SgeKind())), this::run);
  }

  private OutsideAnswer run(OutsideCommand command) {
    String line =
        command.program()
            + " "
            + String.join(" ", command.words().subList(1, command.words().size()));
    asked.add(line);
    return answers.getOrDefault(line, RecordedTexts.answer(0, "", ""));
  }

  /** Its owner's defaults could have qsub wait for the job, or start a program of his. */
  @Test
  void noDefaultsOfItsOwnerGoWithAJob() throws Exception {
    cell.submit(
        new OutsideSubmission(
            new OutsideTag("c1", "7", 1),
            "alice",
            "name",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            SomeAmounts.of(1, 0, Optional.empty()),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/")));
    assertTrue(asked.get(0).contains("/qsub -clear -terse "), asked::toString);
  }

  /** A job would ask for it twice, in two ways of counting it. */
  @ParameterizedTest
  @CsvSource({
    "resource.b = x/slot, resource.a and resource.b are one complex",
    "memory = x, memory and resource.a are one complex"
  })
  void aComplexIsNamedOnce(String more, String why) throws Exception {
    List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve("c1.properties")));
    lines.addAll(List.of("resource.a = x", more));
    Path file = Files.write(folder.resolve("c2.properties"), lines);
    ClusterFault fault =
        assertThrows(ClusterFault.class, () -> ClusterFile.read(file, List.of(new SgeKind())));
    assertTrue(fault.getMessage().contains(why), fault.getMessage());
  }

  /** A default of sge_qstat can narrow what the list shows; a number is not narrowed. */
  @Test
  void eachJobIsAskedForByItsNumber() throws Exception {
    answers.put("qstat -j 999999 -xml", RecordedTexts.answer(0, UNKNOWN, ""));
    answers.put("qstat -j 3 -xml", RecordedTexts.answer(0, SgeFixtures.text("qstat-j.xml"), ""));
    OutsideId over = OutsideId.of(999_999);
    OutsideId task = new OutsideId(12, 3);
    OutsideId there = OutsideId.of(3);
    Told<Map<OutsideId, Optional<OutsideJob>>> told =
        cell.byNumber("alice", List.of(over, task, there));
    Map<OutsideId, Optional<OutsideJob>> jobs =
        ((Told.Answered<Map<OutsideId, Optional<OutsideJob>>>) told).value();
    assertEquals(Optional.empty(), jobs.get(over));
    assertEquals(Optional.empty(), jobs.get(task));
    assertEquals(there, jobs.get(there).orElseThrow().id());
    assertEquals(List.of("qstat -j 999999 -xml", "qstat -j 3 -xml"), asked);
    answers.put("qstat -j 3 -xml", RecordedTexts.answer(1, "", "error: commlib error\n"));
    assertInstanceOf(Told.Nothing.class, cell.byNumber("alice", List.of(there)));
  }
}
