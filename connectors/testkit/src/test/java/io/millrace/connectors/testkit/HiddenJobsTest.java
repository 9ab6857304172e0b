package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.run.BridgeParts;
import io.millrace.connectors.bridge.run.BridgeTerms;
import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.connectors.slurm.SlurmSystem;
import io.millrace.schemas.MemoryFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A queue whose list has its asker's own jobs only: good answers, in which others' are missing. */
class HiddenJobsTest {

  private static final OutsideTag TAG = new OutsideTag("c1", "5", 1);

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private final HandClock clock = new HandClock();
  private SimulatedSlurm slurm;
  private RunJournal journal;
  private OutsideBridge bridge;
  private String config = "";
  private boolean accountIsSilent;

  /** Bytes that answers with the queue may have, in our own name and in her name. */
  private final Map<Boolean, Integer> queueMost = new HashMap<>();

  @BeforeEach
  void open() throws Exception {
    slurm = new SimulatedSlurm(clock, 3, folder.resolve("jobcomp"), "alice");
    Path properties = folder.resolve("c1.properties");
    Files.writeString(
        properties,
        "name = c1\nsystem = slurm\ncluster_name = sim\nspool = /spool\nas = sudo\n"
            + "user.alice = alice\naccounting = "
            + folder.resolve("jobcomp")
            + "\n");
    Files.createFile(folder.resolve("jobcomp"));
    ClusterFile file = ClusterFile.read(properties, List.of(new SlurmKind()));
    journal = RunJournal.open(folder.resolve("journal"));
    Duration second = Duration.ofSeconds(1);
    BridgeTerms terms = new BridgeTerms(second, second, second, second, second, 9, 9, 9, 1);
    bridge =
        new OutsideBridge(
            new BridgeParts(new SlurmSystem(file, this::run), slurm, journal, terms, clock));
    bridge.order(
        new OutsideSubmission(
            TAG,
            "alice",
            "x",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            SomeAmounts.of(1, 0, Optional.empty()),
            new OutsideSubmission.SubmittedScript(new byte[] {'#'}, List.of(), Map.of(), "/")));
  }

  @AfterEach
  void close() throws Exception {
    journal.close();
  }

  /** Only in the name of alice are her jobs shown. */
  private OutsideAnswer run(OutsideCommand command) {
    boolean isOwn = !command.program().equals("sudo");
    List<String> words = command.words();
    List<String> bare = isOwn ? words : words.subList(words.indexOf("--") + 1, words.size());
    OutsideCommand asked =
        new OutsideCommand(bare, command.input(), Map.of(), command.limit(), command.outputMost());
    if (asked.program().equals("squeue")) {
      queueMost.put(isOwn, command.outputMost());
    }
    if (asked.program().equals("scontrol")) {
      return SimulatedSlurm.answer(0, "ClusterName = sim\n" + config, "");
    }
    if (asked.program().equals("squeue") && isOwn) {
      return SimulatedSlurm.answer(0, "{\"errors\":[],\"jobs\":[]}", "");
    }
    return asked.program().equals("squeue") && accountIsSilent
        ? SimulatedSlurm.answer(1, "", "slurm_load_jobs error")
        : slurm.run(asked);
  }

  private OutsideRunState step() throws Exception {
    clock.pass(Duration.ofSeconds(1));
    bridge.step();
    return bridge.run(TAG).orElseThrow().state();
  }

  private void endsOnlyWhenItIsOver() throws Exception {
    OutsideRunState state = step();
    for (int i = 0; i < 300 && state != OutsideRunState.ENDED; i++) {
      boolean lived = slurm.lives(TAG);
      state = step();
      assertTrue(state != OutsideRunState.ENDED || !lived || !slurm.lives(TAG), "ended, and lives");
    }
    assertEquals(OutsideRunState.ENDED, state);
    assertEquals(1, slurm.begun(TAG));
  }

  @Test
  void aRunThatItsAccountSeesIsThere() throws Exception {
    endsOnlyWhenItIsOver();
    assertEquals(queueMost.get(true), queueMost.get(false), "it is the whole queue, too");
  }

  @Test
  void whileItsAccountIsToldNothingARunIsNotOver() throws Exception {
    accountIsSilent = true;
    for (int i = 0; i < 20; i++) {
      step();
    }
    assertEquals(OutsideRunState.NOT_HEARD_OF, step());
    accountIsSilent = false;
    endsOnlyWhenItIsOver();
  }

  /** An administrator hides jobs while runs are there: that is said, and the list is no answer. */
  @Test
  void whatHidesJobsIsNamedAndItsListIsNoAnswer() throws Exception {
    config = "PrivateData             = accounts,jobs\n";
    for (int i = 0; i < 10; i++) {
      step();
    }
    String why = bridge.trouble().orElse("");
    assertTrue(why.contains("PrivateData=jobs"), why);
    assertEquals(OutsideRunState.NOT_HEARD_OF, step());
  }
}
