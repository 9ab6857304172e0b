package io.millrace.ops.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import java.nio.file.Path;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What broker and controller read of the settings that they are given. */
class SingleNodeTest {

  /** Kafka makes copies of the settings, which know nothing of what is ours. */
  @Test
  void theBrokerTellsSeldomThatItLivesOnceItServes(@TempDir Path folder) throws Exception {
    Home home = new Home(folder);
    home.create();
    ClusterSettings cluster = ClusterSettings.embedded(1, "");
    ClientSettings.generate(home, cluster.bootstrapServers());
    BrokerLogins logins = BrokerLogins.of(home);
    NodeConfig config = new NodeConfig(BrokerSettings.of(home, cluster, logins, false));
    BrokerMain.format(home);
    SingleNode node = new SingleNode(config, logins, Time.SYSTEM);
    assertEquals(500, node.ofBroker().brokerHeartbeatIntervalMs());
    config.serving();
    assertEquals(30_000, node.ofBroker().brokerHeartbeatIntervalMs());
    assertTrue(node.ofBroker().metadataMaxIdleIntervalNs().isEmpty(), "records without contents");
    assertTrue(node.ofController().metadataMaxIdleIntervalNs().isEmpty(), "as the controller does");
  }
}
