package io.millrace.connectors.connect;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/** Shows the jobs, hosts and queues of one outside cluster. */
public final class OutsideSourceConnector extends SourceConnector {

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
    return OutsideSourceTask.class;
  }

  /** One: two would ask the cluster twice, and show it as two pictures. */
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
    return SettingsTable.all(ConnectSide.SOURCE);
  }

  @Override
  public Config validate(Map<String, String> settings) {
    return new ConnectorSettings(ConnectSide.SOURCE, settings).checked();
  }

  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> settings) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  /** A transaction has the news of one look. */
  @Override
  public ConnectorTransactionBoundaries canDefineTransactionBoundaries(
      Map<String, String> settings) {
    return ConnectorTransactionBoundaries.SUPPORTED;
  }

  /** Offsets that an administrator wants to set; no others are kept than positions. */
  @Override
  public boolean alterOffsets(
      Map<String, String> settings, Map<Map<String, ?>, Map<String, ?>> offsets) {
    String cluster = settings.get(SettingsTable.CLUSTER + "name");
    offsets.forEach(
        (partition, offset) -> {
          if (!SourcePosition.isOf(cluster, partition)) {
            throw new ConnectException(
                "offsets are those of "
                    + SourcePosition.partition(cluster)
                    + ", not of "
                    + partition);
          }
          try {
            SourcePosition.of(offset);
          } catch (IllegalArgumentException e) {
            throw new ConnectException(e.getMessage(), e);
          }
        });
    return true;
  }
}
