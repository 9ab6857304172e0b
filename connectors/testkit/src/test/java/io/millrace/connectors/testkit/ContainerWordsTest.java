package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.container.PlayedEngine;
import io.millrace.connectors.bridge.host.CommandHosts;
import io.millrace.connectors.slurm.SlurmKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hundred hostile words on their way through the program of a container engine. */
class ContainerWordsTest {

  @TempDir Path folder;

  @Test
  void eachComesOutAsItIs() throws Exception {
    PlayedEngine engine = new PlayedEngine(folder);
    engine.account("mr-nobody", 1003);
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = c1",
                "system = slurm",
                "cluster_name = hand",
                "spool = /shared",
                "user.alice = alice"));
    lines.addAll(engine.keys());
    Path file = Files.write(folder.resolve("c1.properties"), lines);
    CommandRunner runner = CommandHosts.of(ClusterFile.read(file, List.of(new SlurmKind())));
    try {
      SpokenWords.say(runner);
    } finally {
      runner.close();
    }
    assertFalse(Files.exists(Path.of("/tmp/millrace-hostile")));
  }
}
