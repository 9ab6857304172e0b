package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.ops.home.Home;
import io.millrace.ops.process.PartFailed;
import io.millrace.ops.word.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a qmgr that is a small script: it has the queues that are files of a folder. */
class ForwardersTest {

  private static final ClusterFile CLUSTER =
      new ClusterFile(new OneHost(), Map.of("name", "c1", "transport", "local"), Map.of());

  @TempDir Path folder;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private Path queue;
  private Path broken;
  private Forwarders forwarders;

  /** A cluster of one host. */
  private static final class OneHost implements OutsideKind {
    @Override
    public String name() {
      return "one";
    }

    @Override
    public List<ClusterKey> keys() {
      return List.of();
    }

    @Override
    public OutsideSystem open(ClusterFile file, CommandRunner runner) {
      OutsideHost host = new OutsideHost("n1", true, "up", 2, 1 << 20, Map.of());
      Told<OutsideInventory> told = Told.of(new OutsideInventory(List.of(host), List.of()));
      return (OutsideSystem)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {OutsideSystem.class},
              (proxy, method, arguments) -> method.getName().equals("inventory") ? told : null);
    }

    @Override
    public List<String> programs() {
      return List.of();
    }

    @Override
    public List<String> programsOfAccounts() {
      return List.of();
    }

    @Override
    public List<CheckLine> check(ClusterFile file, CommandRunner runner) {
      return List.of();
    }
  }

  @BeforeEach
  void aHome() throws IOException {
    Home home = new Home(folder);
    home.create();
    queue = folder.resolve("queue-c1");
    broken = folder.resolve("broken");
    String script =
        """
        #!/bin/sh
        case $2 in
          'list queue c1') test -e QUEUE ;;
          'list resource ngpus') exit 0 ;;
          'list resource scratch') exit 1 ;;
          'create queue c1 '*)
            if test -e BROKEN; then echo 'no server'; exit 1; fi
            if test -e QUEUE; then echo 'already exists'; exit 1; fi
            touch QUEUE ;;
        esac
        """
            .replace("QUEUE", queue.toString())
            .replace("BROKEN", broken.toString());
    Path qmgr = Files.writeString(home.bin().resolve("qmgr"), script);
    Files.setPosixFilePermissions(qmgr, PosixFilePermissions.fromString("rwxr-xr-x"));
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    forwarders = new Forwarders(home, new Distribution(folder), new Console(out, false));
  }

  private Path mark() {
    return folder.resolve("etc/queues/c1");
  }

  @Test
  void theQueueThatWasMadeIsTheClusters() throws Exception {
    forwarders.makeNodes(CLUSTER);
    assertTrue(Files.exists(queue) && Files.exists(mark()));
    Files.delete(folder.resolve("etc/nodes/n1@c1"));
    forwarders.makeNodes(CLUSTER);
    assertTrue(Files.exists(folder.resolve("etc/nodes/n1@c1")));
  }

  @Test
  void aResourceThatTheServerDoesNotKnowIsNamed() throws Exception {
    Map<String, String> values = new HashMap<>(CLUSTER.values());
    values.put("resource.ngpus", "gres/gpu");
    values.put("resource.scratch", "scratch");
    forwarders.makeNodes(new ClusterFile(CLUSTER.kind(), values, Map.of()));
    String lines = said.toString(StandardCharsets.UTF_8);
    assertTrue(lines.contains("no job can ask for resource.scratch of cluster c1"), lines);
    assertFalse(lines.contains("ngpus"), lines);
  }

  /** One that somebody makes after that is not the cluster's. */
  @Test
  void aQueueThatCouldNotBeMadeIsNotTheClusters() throws Exception {
    Files.createFile(broken);
    assertThrows(PartFailed.class, () -> forwarders.makeNodes(CLUSTER));
    assertFalse(Files.exists(mark()));
    Files.delete(broken);
    Files.createFile(queue);
    String said = assertThrows(PartFailed.class, () -> forwarders.makeNodes(CLUSTER)).getMessage();
    assertTrue(said.startsWith("there is a queue c1 already"), said);
    Files.delete(queue);
    forwarders.makeNodes(CLUSTER);
    assertEquals(List.of(true, true), List.of(Files.exists(queue), Files.exists(mark())));
  }
}
