package io.millrace.ops.outside.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.testkit.PeerScript;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PeerClusterTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void itsClusterFileIsOne(PeerCluster cluster) throws Exception {
    List<String> more = List.of("command_limit_s = 4", "user.alice = " + PeerCluster.ACCOUNT);
    Path path = Files.write(folder.resolve("c"), cluster.file("c7", Path.of("/spool"), more));
    List<OutsideKind> kinds =
        ServiceLoader.load(OutsideKind.class).stream().map(ServiceLoader.Provider::get).toList();
    ClusterFile file = ClusterFile.read(path, kinds);
    assertEquals("c7", file.name());
    assertEquals(cluster.system(), file.kind().name());
    assertEquals(Map.of("alice", PeerCluster.ACCOUNT), file.users());
    assertEquals(Optional.of(cluster), PeerCluster.of(cluster.system()));
  }

  /** Of a system that nobody has started nothing is killed, and nobody is asked. */
  @ParameterizedTest
  @EnumSource
  void itsScriptSaysWhatItTakes(PeerCluster cluster) throws Exception {
    PeerScript script = PeerScript.of(cluster.script(), Map.of());
    OutsideAnswer answer = script.call("again");
    assertEquals(1, answer.status());
    assertTrue(answer.complaint().contains("up, "), answer::complaint);
  }

  @Test
  void namesOfACommandLine() {
    assertEquals("gridengine|slurm", PeerCluster.names());
    assertEquals(Optional.empty(), PeerCluster.of("lsf"));
  }
}
