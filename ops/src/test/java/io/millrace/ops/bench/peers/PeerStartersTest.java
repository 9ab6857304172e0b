package io.millrace.ops.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.ops.outside.peer.PeerCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerStartersTest {

  /** Blanks and a quote in a path are no words of a shell. */
  private static final String NAME = "a folder's";

  @TempDir Path parent;
  private Path folder;
  private Path called;

  @BeforeEach
  void folder() throws IOException {
    folder = Files.createDirectory(parent.resolve(NAME));
    called = folder.resolve("called");
  }

  private BatchSystem system(String name, boolean serves) {
    Map<String, String> environment = Map.of("CALLED", called.toString());
    return new BatchSystem(name, name, "", serves ? "true" : "false", environment, List::of);
  }

  private Path script(String name, String rest) throws IOException {
    String line = "echo " + name + " $1 >> \"$CALLED\"\n";
    return Files.writeString(folder.resolve(name + ".sh"), line + rest + "\n");
  }

  private PeerStarters.PeerStarter starter(String name, String rest) throws IOException {
    Map<String, String> environment = Map.of("CALLED", called.toString());
    return PeerStarters.ofScript(script(name, rest), environment);
  }

  @Test
  void whatWasStartedIsStopped() throws Exception {
    Map<String, PeerStarters.PeerStarter> both =
        Map.of("one", starter("one", ""), "idle", starter("idle", ""));
    try (PeerStarters starters = new PeerStarters(both)) {
      assertEquals(Optional.empty(), starters.start(system("one", true)));
      assertEquals(List.of("one start"), Files.readAllLines(called));
    }
    assertEquals(List.of("one start", "one stop"), Files.readAllLines(called));
  }

  @Test
  void soIsWhatStartedByHalf() throws Exception {
    try (PeerStarters starters = new PeerStarters(Map.of("one", starter("one", "")))) {
      assertThrows(IOException.class, () -> starters.start(system("one", false)));
    }
    assertEquals(List.of("one start", "one stop"), Files.readAllLines(called));
  }

  @Test
  void oneThatCannotBeStoppedKeepsNoOtherRunning() throws Exception {
    String fails = "test $1 = start";
    PeerStarters starters =
        new PeerStarters(Map.of("one", starter("one", ""), "two", starter("two", fails)));
    starters.start(system("one", true));
    starters.start(system("two", true));
    String told = assertThrows(IOException.class, starters::close).getMessage();
    assertEquals(folder.resolve("two.sh") + " stop failed with status 1", told);
    assertEquals(
        List.of("one start", "two start", "two stop", "one stop"), Files.readAllLines(called));
  }

  @Test
  void whatCannotBeStartedHereIsSaid() throws Exception {
    PeerStarters.PeerStarter packages = PeerStarters.ofPackages(PeerCluster.SLURM, "mary");
    try (PeerStarters starters = new PeerStarters(Map.of("slurm", packages))) {
      assertEquals(
          Optional.of("it does not serve, and only root can install and start it"),
          starters.start(system("slurm", false)));
      assertEquals(
          Optional.of("it does not serve on this machine"), starters.start(system("other", false)));
    }
  }
}
