package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.run.BridgeParts;
import io.millrace.connectors.bridge.run.BridgeTerms;
import io.millrace.connectors.bridge.run.CircuitBreaker;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bridge beside others who ask the same system. */
class OneBreakerTest {

  private static final OutsideTag TAG = new OutsideTag("c1", "5", 1);

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private final HandClock clock = new HandClock();
  private final CircuitBreaker breaker = new CircuitBreaker();
  private final List<String> asked = new ArrayList<>();
  private boolean queueFails;
  private SimulatedSlurm slurm;
  private RunJournal journal;
  private OutsideBridge bridge;

  @BeforeEach
  void open() throws Exception {
    slurm = new SimulatedSlurm(clock, 3, folder.resolve("jobcomp"), "alice");
    Path properties = folder.resolve("c1.properties");
    Files.writeString(
        properties,
        "name = c1\nsystem = slurm\ncluster_name = sim\nspool = /spool\nuser.alice = alice\n");
    ClusterFile file = ClusterFile.read(properties, List.of(new SlurmKind()));
    journal = RunJournal.open(folder.resolve("journal"));
    Duration second = Duration.ofSeconds(1);
    BridgeTerms terms = new BridgeTerms(second, second, second, second, second, 9, 9, 9, 1);
    bridge =
        new OutsideBridge(
            new BridgeParts(new SlurmSystem(file, this::run), slurm, journal, terms, clock),
            breaker);
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

  private OutsideAnswer run(OutsideCommand command) {
    asked.add(command.program());
    return queueFails && command.program().equals("squeue")
        ? SimulatedSlurm.answer(1, "", "slurm_load_jobs error")
        : slurm.run(command);
  }

  private OutsideRunState state() {
    return bridge.run(TAG).orElseThrow().state();
  }

  @Test
  void whatOthersHeardIsHeardHere() throws Exception {
    for (int i = 0; i < 3; i++) {
      breaker.silent("the hosts are not told", clock.instant());
    }
    bridge.step();
    assertEquals(List.of(), asked);
    assertEquals(Optional.of("the hosts are not told"), bridge.trouble());
    breaker.answered();
    bridge.step();
    assertEquals(List.of("scontrol", "sbatch"), asked.subList(0, 2));
    assertEquals(OutsideRunState.SUBMITTED, state());
  }

  @Test
  void aQueueThatIsNotToldLeavesRunsUnheardOfThoughOthersAreAnswered() throws Exception {
    bridge.step();
    queueFails = true;
    for (int i = 0; i < 3; i++) {
      clock.pass(Duration.ofSeconds(2));
      bridge.step();
      breaker.answered();
    }
    assertEquals(OutsideRunState.NOT_HEARD_OF, state());
    assertTrue(bridge.trouble().orElse("").contains("slurm_load_jobs"), bridge.trouble()::toString);
    queueFails = false;
    clock.pass(Duration.ofSeconds(2));
    bridge.step();
    assertNotEquals(OutsideRunState.NOT_HEARD_OF, state());
    assertEquals(Optional.empty(), bridge.trouble());
  }
}
