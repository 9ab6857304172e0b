package io.millrace.connectors.connect;

import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.forward.ServedTerms;
import io.millrace.schemas.Topics;
import io.millrace.schemas.program.KafkaClientFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;

/** Reads the settings of a connector, and says what is wrong with them. */
final class ConnectorSettings {

  private static final String SYSTEM = SettingsTable.CLUSTER + "system";
  private static final String MODE = SettingsTable.CLUSTER + ClusterFile.MODE;
  private static final String TOPICS = "topics";
  private static final String RAW = "org.apache.kafka.connect.converters.ByteArrayConverter";

  private final ConnectSide side;
  private final Map<String, String> given;

  ConnectorSettings(ConnectSide side, Map<String, String> given) {
    this.side = side;
    this.given = given;
  }

  private Optional<OutsideKind> kind() {
    return SettingsTable.kinds().stream()
        .filter(it -> it.name().equals(given.getOrDefault(SYSTEM, "").strip()))
        .findFirst();
  }

  private ConfigDef definition() {
    return kind()
        .map(it -> SettingsTable.of(side, it, given.keySet()))
        .orElseGet(() -> SettingsTable.all(side));
  }

  /** All settings with what is wrong with each. */
  Config checked() {
    ConfigDef definition = definition();
    Map<String, ConfigValue> values = new LinkedHashMap<>();
    definition.validate(given).forEach(it -> values.put(it.name(), it));
    for (String name : unknown(definition)) {
      values.put(name, wrong(name, why(name)));
    }
    if (values.values().stream().allMatch(it -> it.errorMessages().isEmpty())) {
      together().ifPresent(it -> values.get(SYSTEM).addErrorMessage(it));
    }
    for (Map.Entry<String, String> each : ofConnect().entrySet()) {
      if (!each.getValue().equals(given.getOrDefault(each.getKey(), "").strip())) {
        values.put(
            each.getKey(),
            wrong(each.getKey(), each.getKey() + " has to be given here as " + each.getValue()));
      }
    }
    // Connect looks for a value of each setting that it was told of, and fails without.
    for (String name : SettingsTable.all(side).names()) {
      values.computeIfAbsent(name, ConnectorSettings::ofOtherSystems);
    }
    return new Config(new ArrayList<>(values.values()));
  }

  private static ConfigValue ofOtherSystems(String name) {
    ConfigValue none = new ConfigValue(name);
    none.visible(false);
    return none;
  }

  private ConfigValue wrong(String name, String why) {
    return new ConfigValue(name, given.get(name), List.of(), new ArrayList<>(List.of(why)));
  }

  /** Our names that are no settings; Connect itself would pass over them. */
  private List<String> unknown(ConfigDef definition) {
    List<String> names = new ArrayList<>();
    boolean known = kind().isPresent();
    for (String name : given.keySet()) {
      boolean ours = name.startsWith(SettingsTable.OWN) || name.startsWith(SettingsTable.CLUSTER);
      // Which there are depends on the system, of which is said then what is wrong with it.
      boolean open = !known && (SettingsTable.isUser(name) || SettingsTable.isResource(name));
      if (ours && !open && !definition.names().contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private String why(String name) {
    if (side == ConnectSide.SOURCE && name.equals(MODE)) {
      return MODE + ": this connector observes, and has no mode";
    }
    if (side == ConnectSide.SOURCE
        && new ConnectorSettings(ConnectSide.SINK, given).definition().names().contains(name)) {
      return name + " is about runs, and this connector only observes";
    }
    return "there is no setting " + name + kind().map(it -> " for " + it.name()).orElse("");
  }

  /** What is wrong with settings that are right one by one. */
  private Optional<String> together() {
    try {
      file();
      return Optional.empty();
    } catch (ConfigException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** Settings of Connect that can only have one value: records go through as they are. */
  private Map<String, String> ofConnect() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("key.converter", RAW);
    values.put("value.converter", RAW);
    values.put("header.converter", RAW);
    if (side == ConnectSide.SINK) {
      values.put(TOPICS, Topics.DISPATCH);
    }
    return values;
  }

  /**
   * The cluster.
   *
   * @throws ConfigException in one line
   */
  private ClusterFile file() {
    Map<String, String> keys = new LinkedHashMap<>();
    given.forEach(
        (name, value) -> {
          if (name.startsWith(SettingsTable.CLUSTER)) {
            keys.put(name.substring(SettingsTable.CLUSTER.length()), value.strip());
          }
        });
    if (side == ConnectSide.SOURCE) {
      keys.put(ClusterFile.MODE, ClusterFile.OBSERVE);
    }
    try {
      ClusterFile file =
          ClusterFile.of(
              keys,
              SettingsTable.kinds(),
              key -> key.equals(ClusterKeys.USER) ? SettingsTable.CLUSTER : "cluster: ");
      if (side == ConnectSide.SINK && file.observes()) {
        throw new ConfigException(MODE + " = observe is what the source connector does");
      }
      return file;
    } catch (ClusterFault e) {
      throw new ConfigException(e.getMessage());
    }
  }

  /**
   * What a task serves its cluster with.
   *
   * @throws ConnectException in one line, when a setting or what it names is wrong
   */
  ServedTerms terms() {
    definition().parse(given);
    ClusterFile file = file();
    Path properties = Path.of(given.get(SettingsTable.PROPERTIES).strip());
    String spool = given.getOrDefault(SettingsTable.SPOOL, "").strip();
    try {
      return ServedTerms.of(file, KafkaClientFile.read(properties), Path.of(spool));
    } catch (IOException e) {
      throw new ConnectException(SettingsTable.PROPERTIES + ": " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new ConnectException(properties + ": " + e.getMessage(), e);
    }
  }
}
