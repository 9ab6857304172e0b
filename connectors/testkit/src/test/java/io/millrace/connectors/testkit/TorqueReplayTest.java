package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.torque.TorqueKind;
import java.util.List;

/** What Torque says by its manual. What needs a live one is {@link TorqueContractIT}'s. */
class TorqueReplayTest extends ReplayContract {

  @Override
  OutsideKind kind() {
    return new TorqueKind();
  }

  @Override
  ReplayedSystem replayed() {
    return new FixedTorque();
  }

  @Override
  void inventory(OutsideInventory found) {
    assertEquals("n1", found.hosts().get(0).name());
    assertEquals(8, found.hosts().get(0).cpus());
    assertEquals(false, found.hosts().get(1).usable());
    assertEquals(List.of("batch", "route"), found.queues());
  }
}
