package io.millrace.connectors.connect;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/** Carries out the runs of the nodes of one outside cluster. */
public final class OrderSinkConnector extends SinkConnector {

  private Map<String, String> given;

  @Override
  public String version() {
    return PluginVersion.text();
  }

  @Override
  public void start(Map<String, String> settings) {
    given = Map.copyOf(settings);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return OrderSinkTask.class;
  }

  /** One: a second one would stand by for ever. */
  @Override
  public List<Map<String, String>> taskConfigs(int most) {
    return List.of(given);
  }

  @Override
  public void stop() {
    // Nothing is open here.
  }

  @Override
  public ConfigDef config() {
    return SettingsTable.all(ConnectSide.SINK);
  }

  @Override
  public Config validate(Map<String, String> settings) {
    return new ConnectorSettings(ConnectSide.SINK, settings).checked();
  }

  /** Connect's offsets are a measure only: orders are carried out by the position of the spool. */
  @Override
  public boolean alterOffsets(Map<String, String> settings, Map<TopicPartition, Long> offsets) {
    return true;
  }
}
