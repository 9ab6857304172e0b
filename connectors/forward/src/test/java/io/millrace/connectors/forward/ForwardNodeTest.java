package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.connectors.bridge.system.OutsideHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForwardNodeTest {

  @TempDir Path nodes;

  private static final Set<String> NAMED = Set.of("ngpus", "scratch");

  private ForwardNode told(int cpus, long memory) throws IOException {
    return ForwardNode.of(nodes, host(cpus, memory), NAMED);
  }

  private static OutsideHost host(int cpus, long memory) {
    return new OutsideHost("one", cpus >= 0, "", cpus, memory, Map.of());
  }

  private ForwardNode told(Map<String, Long> more) throws IOException {
    return ForwardNode.of(nodes, host(4, 8L << 30).having(more, NAMED), NAMED);
  }

  @Test
  void whatAHostHasIsRememberedWhileItIsDown() throws IOException {
    assertFalse(told(-1, -1).isMeasured(), "nobody has ever said what it has");
    Map<String, Long> had = Map.of("ncpus", 4L, "mem", 8L << 30);
    assertEquals(had, told(4, 8L << 30).measured());
    assertEquals(had, told(-1, -1).measured());
    assertEquals(had, ForwardNode.remembered(nodes, NAMED).get(0).measured());
  }

  /** A host that does not tell its amounts, as one that is down, has those of before. */
  @Test
  void whatAHostHasNoMoreIsNoneOfItsNode() throws IOException {
    Map<String, Long> gpus = Map.of("ngpus", 2L, "scratch", 0L);
    Map<String, Long> all = Map.of("ncpus", 4L, "mem", 8L << 30, "ngpus", 2L, "scratch", 0L);
    assertEquals(all, told(Map.of("ngpus", 2L)).measured());
    assertEquals(gpus, host(4, 1).having(Map.of("ngpus", 2L), NAMED).resources());
    assertEquals(
        all, ForwardNode.of(nodes, host(-1, -1).having(Map.of(), NAMED), NAMED).measured());
    assertEquals(all, told(4, 8L << 30).measured(), "it was not asked for them yet");
    assertEquals(0, told(Map.of("scratch", 1L)).measured().get("ngpus"), "told, not left out");
    assertEquals(1, told(Map.of("scratch", 1L)).measured().get("scratch"));
  }

  @Test
  void whatTheFileNamesNoMoreIsNoneOfItsNodes() throws IOException {
    told(Map.of("ngpus", 2L));
    Map<String, Long> left = Map.of("ncpus", 4L, "mem", 8L << 30, "scratch", 0L);
    assertEquals(left, ForwardNode.remembered(nodes, Set.of("scratch")).get(0).measured());
    assertEquals(left, ForwardNode.of(nodes, host(4, -1), Set.of("scratch")).measured());
  }
}
