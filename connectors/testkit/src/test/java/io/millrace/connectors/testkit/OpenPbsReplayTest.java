package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.openpbs.PbsKind;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** What a real OpenPBS has said. What needs a live one is {@link OpenPbsContractIT}'s. */
class OpenPbsReplayTest extends ReplayContract {

  @Override
  OutsideKind kind() {
    return new PbsKind();
  }

  @Override
  ReplayedSystem replayed() throws IOException {
    assumeTrue(
        Files.isDirectory(RecordedOpenPbs.RECORDED),
        "no recordings at " + RecordedOpenPbs.RECORDED);
    return new RecordedOpenPbs();
  }

  @Override
  void inventory(OutsideInventory found) {
    assertEquals("vm", found.hosts().get(0).name());
    assertEquals(64, found.hosts().get(0).cpus());
    assertEquals(List.of("workq", "wq1", "wq2", "r1"), found.queues());
  }
}
