package io.millrace.connectors.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Connector;
import org.apache.kafka.connect.runtime.isolation.PluginDesc;
import org.apache.kafka.connect.runtime.isolation.Plugins;
import org.junit.jupiter.api.Test;

/** The folder that the build makes for a worker's plugin.path, as Connect loads it. */
class PluginFolderIT {

  private static List<String> jars() throws IOException {
    try (Stream<Path> files = Files.list(ConnectWorker.PLUGINS.resolve("millrace"))) {
      return files.map(it -> it.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void itHasNothingThatTheWorkerHas() throws IOException {
    List<String> jars = jars();
    assertTrue(jars.stream().anyMatch(it -> it.startsWith("millrace-connect-")), jars::toString);
    for (String worker : List.of("kafka-", "connect-", "slf4j-", "jetty-", "jersey-", "zstd-")) {
      assertFalse(jars.stream().anyMatch(it -> it.startsWith(worker)), jars::toString);
    }
  }

  @Test
  void connectFindsBothConnectorsInIsolation() throws Exception {
    Plugins plugins =
        new Plugins(
            Map.of(
                "plugin.path",
                ConnectWorker.PLUGINS.toString(),
                "plugin.discovery",
                "service_load"));
    Map<String, PluginDesc<Connector>> ours =
        plugins.connectors().stream()
            .filter(it -> it.className().startsWith("io.millrace."))
            // The tests' own class path has them, too.
            .filter(it -> it.location().contains("target/plugin/millrace"))
            .collect(Collectors.toMap(PluginDesc::className, it -> it));
    assertEquals(
        Set.of(OutsideSourceConnector.class.getName(), OrderSinkConnector.class.getName()),
        ours.keySet());
    PluginDesc<Connector> found = ours.get(OutsideSourceConnector.class.getName());
    assertEquals(new OutsideSourceConnector().version(), found.version());
    assertNotSame(OutsideSourceConnector.class, found.pluginClass(), "by the folder's own loader");
    Connector source = found.pluginClass().getDeclaredConstructor().newInstance();
    assertTrue(source.config().names().contains("cluster.sge_root"), "all systems are found");
    List<String> wrong =
        source.validate(ConnectorSettingsTest.source()).configValues().stream()
            .map(ConfigValue::errorMessages)
            .flatMap(List::stream)
            .toList();
    assertEquals(List.of(), wrong);
  }
}
