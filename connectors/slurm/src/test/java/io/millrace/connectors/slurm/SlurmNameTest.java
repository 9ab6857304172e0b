package io.millrace.connectors.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A slurm.conf that leads to another cluster than the file means. */
class SlurmNameTest {

  private static final String EMPTY = "{\"errors\":[],\"jobs\":[]}";

  @TempDir Path folder;

  private final List<String> asked = new ArrayList<>();
  private String name = "hand";
  private String more = "";
  private String queue = EMPTY;
  private SlurmSystem slurm;

  private OutsideAnswer run(OutsideCommand command) {
    asked.add(command.program());
    return switch (command.program()) {
      case "squeue" -> RecordedTexts.answer(0, queue, "");
      case "sinfo" -> RecordedTexts.answer(0, "{\"errors\":[],\"nodes\":[]}", "");
      case "scontrol" ->
          name.isEmpty()
              ? RecordedTexts.answer(1, "", "slurm_load_ctl_conf error: Zero Bytes")
              : RecordedTexts.answer(0, "ClusterName             = " + name + "\n" + more, "");
      default -> RecordedTexts.answer(0, "12\n", "");
    };
  }

  @BeforeEach
  void aCluster() throws Exception {
    List<String> lines =
        List.of(
            "name = c1",
            "system = slurm",
            "cluster_name = hand",
            "spool = /spool",
            "user.alice = alice");
    Path file = Files.write(folder.resolve("c1.properties"), lines);
    slurm = new SlurmSystem(ClusterFile.read(file, List.of(new SlurmKind())), this::run);
  }

  private Submitted submit() throws InterruptedException {
    return slurm.submit(
        new OutsideSubmission(
            new OutsideTag("c1", "7", 1),
            "alice",
            "name",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            SomeAmounts.of(1, 0, Optional.empty()),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/")));
  }

  private static void isNothing(Told<?> told) {
    String why = assertInstanceOf(Told.Nothing.class, told).why();
    assertTrue(why.contains("this is the cluster big, not hand"), why);
  }

  @Test
  void itsJobsSayThatTheyAreOfAnother() throws Exception {
    queue = SlurmFixtures.text("squeue.json");
    assertInstanceOf(Told.Answered.class, slurm.snapshot());
    assertEquals(List.of("squeue", "scontrol"), asked, "one account's jobs: are others' hidden?");
    asked.clear();
    queue = queue.replaceFirst("\"user_name\": \"alice\"", "\"user_name\": \"bob\"");
    assertInstanceOf(Told.Answered.class, slurm.snapshot());
    assertEquals(List.of("squeue"), asked, "its jobs say of which cluster they are");
    queue = queue.replace("\"cluster\": \"hand\"", "\"cluster\": \"big\"");
    isNothing(slurm.snapshot());
    isNothing(slurm.tagged());
    Submitted.NotSent said = assertInstanceOf(Submitted.NotSent.class, submit());
    assertTrue(said.why().contains("big, not hand"), said.why());
    queue = queue.replace("\"cluster\": \"big\"", "\"cluster\": \"hand\"");
    assertInstanceOf(Told.Answered.class, slurm.snapshot());
    assertInstanceOf(Submitted.Accepted.class, submit());
  }

  /** All runs of ours would be missed there, and end half a minute later while they live. */
  @Test
  void anEmptyQueueOfAnotherIsNoAnswer() throws Exception {
    Told<List<OutsideJob>> told = slurm.snapshot();
    assertInstanceOf(Told.Answered.class, told);
    name = "big";
    isNothing(slurm.snapshot());
    Told<OutsideInventory> hosts = slurm.inventory();
    isNothing(hosts);
    name = "";
    assertInstanceOf(Told.Nothing.class, slurm.snapshot());
  }

  /** Then its list has its asker's jobs only, which are none or those of one account. */
  @Test
  void aQueueThatHidesJobsIsNoAnswer() throws Exception {
    more = "PrivateData             = accounts,jobs,usage\n";
    String why = assertInstanceOf(Told.Nothing.class, slurm.snapshot()).why();
    assertTrue(why.startsWith("PrivateData=jobs"), why);
    queue = SlurmFixtures.text("squeue.json");
    assertInstanceOf(Told.Nothing.class, slurm.snapshot());
    queue = queue.replaceFirst("\"user_name\": \"alice\"", "\"user_name\": \"bob\"");
    assertInstanceOf(Told.Answered.class, slurm.snapshot(), "an operator sees all");
    queue = EMPTY;
    more = "PrivateData             = none\n";
    assertInstanceOf(Told.Answered.class, slurm.snapshot());
  }

  @Test
  void nothingIsSubmittedBeforeItIsKnownWhere() throws Exception {
    name = "big";
    assertInstanceOf(Submitted.NotSent.class, submit());
    assertEquals(List.of("scontrol"), asked);
  }
}
