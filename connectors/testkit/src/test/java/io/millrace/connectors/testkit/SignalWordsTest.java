package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.openpbs.PbsKind;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.connectors.torque.TorqueKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With which words a signal goes to a job; a Grid Engine has none for it. */
class SignalWordsTest {

  private static final List<OutsideKind> KINDS =
      List.of(new SgeKind(), new SlurmKind(), new PbsKind(), new TorqueKind());

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "slurm, cluster_name = hand, /usr/bin/scancel --full --signal=10 12",
    "openpbs, server = vm, /usr/bin/qsig -s 10 12.vm",
    "torque, server = vm, /usr/bin/qsig -s 10 12.vm",
    "gridengine, sge_root = /sge, ''",
  })
  void theWordsOfASignal(String system, String key, String words) throws Exception {
    Path file =
        Files.write(
            folder.resolve("c"),
            List.of("name = c1", "system = " + system, key, "spool = /s", "user.alice = alice"));
    ClusterFile cluster = ClusterFile.read(file, KINDS);
    List<String> said = new ArrayList<>();
    Controlled answer =
        cluster
            .kind()
            .open(
                cluster,
                command -> {
                  said.addAll(command.words());
                  return new OutsideAnswer(ProcessEnding.EXITED, 0, "", "", Duration.ZERO);
                })
            .signal(OutsideId.of(12), "alice", 10);
    assertEquals(words, String.join(" ", said));
    assertEquals(words.isEmpty(), answer instanceof Controlled.ControlRefused, answer::toString);
  }
}
