package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.connectors.bridge.system.OutsideHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForwardNodeTest {

  @TempDir Path nodes;

  private ForwardNode told(int cpus, long memory) throws IOException {
    return ForwardNode.of(nodes, new OutsideHost("one", cpus >= 0, "", cpus, memory, Map.of()));
  }

  @Test
  void whatAHostHasIsRememberedWhileItIsDown() throws IOException {
    assertFalse(told(-1, -1).isMeasured(), "nobody has ever said what it has");
    Map<String, Long> had = Map.of("ncpus", 4L, "mem", 8L << 30);
    assertEquals(had, told(4, 8L << 30).measured());
    assertEquals(had, told(-1, -1).measured());
    assertEquals(had, ForwardNode.remembered(nodes).get(0).measured());
  }
}
