package io.millrace.connectors.connect;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** The settings of both connectors: those of the worker's host, and the keys of a cluster file. */
public final class SettingsTable {

  /** Before each key of a cluster file; Connect's own settings have names that it has, too. */
  public static final String CLUSTER = "cluster.";

  static final String OWN = "millrace.";
  static final String PROPERTIES = OWN + "properties";
  static final String SPOOL = OWN + "spool";

  private SettingsTable() {}

  /** All kinds of outside systems, by their names. */
  public static List<OutsideKind> kinds() {
    return ServiceLoader.load(OutsideKind.class, OutsideKind.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .toList();
  }

  /** Settings of the worker's host. */
  public static List<ClusterKey> ofHost(ConnectSide side) {
    ClusterKey properties =
        ClusterKey.required(
            PROPERTIES,
            ClusterKeys.PATH,
            "The file of client settings that ./millrace keys host add @CLUSTER has written: the"
                + " brokers, and the cluster's key. It is read where the task runs.");
    ClusterKey spool =
        ClusterKey.required(
            SPOOL,
            ClusterKeys.PATH,
            "What has to be remembered of runs: journal, and how far orders were carried out. All"
                + " workers that may have the task see the same folder, on a file system with"
                + " locks.");
    return side == ConnectSide.SOURCE ? List.of(properties) : List.of(properties, spool);
  }

  /** Keys that the cluster file of each system has. */
  public static List<ClusterKey> ofEachSystem(ConnectSide side) {
    List<String> systems = kinds().stream().map(OutsideKind::name).toList();
    return ClusterKeys.common(systems).stream()
        .filter(it -> side == ConnectSide.SINK || !ClusterKeys.isOfRuns(it))
        .filter(it -> side == ConnectSide.SINK || !it.name().equals(ClusterFile.MODE))
        .map(SettingsTable::setting)
        .toList();
  }

  /** Keys that only the cluster file of this system has. */
  public static List<ClusterKey> ofSystem(ConnectSide side, OutsideKind kind) {
    return kind.keys().stream()
        .filter(it -> side == ConnectSide.SINK || !kind.keysOfRuns().contains(it.name()))
        .map(SettingsTable::setting)
        .toList();
  }

  private static ClusterKey setting(ClusterKey key) {
    return new ClusterKey(
        CLUSTER + key.name(), key.usual(), key.required(), key.form(), key.sentence());
  }

  /** Whether this is the setting of a user. */
  static boolean isUser(String name) {
    return name.startsWith(CLUSTER) && ClusterKeys.isUser(name.substring(CLUSTER.length()));
  }

  /** Whether this is a setting of a key that has a name behind its dot. */
  private static boolean isNamed(String name, ClusterKey key) {
    return key.name().equals(CLUSTER + ClusterKeys.USER) ? isUser(name) : isResource(name);
  }

  /** Whether this is the setting of a resource. */
  static boolean isResource(String name) {
    return name.startsWith(CLUSTER) && ClusterKeys.isResource(name.substring(CLUSTER.length()));
  }

  /** Settings that a connector may have, whatever its system. */
  static ConfigDef all(ConnectSide side) {
    Map<String, ClusterKey> keys = new LinkedHashMap<>();
    for (OutsideKind kind : kinds()) {
      for (ClusterKey key : ofSystem(side, kind)) {
        String sentence = "Of " + kind.name() + ": " + key.sentence();
        ClusterKey other = keys.get(key.name());
        keys.put(
            key.name(),
            new ClusterKey(
                key.name(),
                key.usual(),
                false,
                key.form(),
                other == null ? sentence : other.sentence() + " " + sentence));
      }
    }
    return definition(side, List.copyOf(keys.values()), List.of());
  }

  /** Settings of a connector to this system, with those of the users who are named. */
  static ConfigDef of(ConnectSide side, OutsideKind kind, Iterable<String> given) {
    return definition(side, ofSystem(side, kind), given);
  }

  private static ConfigDef definition(
      ConnectSide side, List<ClusterKey> ofSystem, Iterable<String> given) {
    ConfigDef definition = new ConfigDef();
    List<ClusterKey> keys = new ArrayList<>(ofHost(side));
    keys.addAll(ofEachSystem(side));
    keys.addAll(ofSystem);
    for (ClusterKey key : keys) {
      if (!key.name().endsWith(".")) {
        define(definition, key, key.name());
      } else {
        for (String name : given) {
          if (isNamed(name, key)) {
            define(definition, key, name);
          }
        }
      }
    }
    return definition;
  }

  private static void define(ConfigDef definition, ClusterKey key, String name) {
    boolean number = key.form() instanceof ClusterKey.NumberForm;
    Optional<Object> usual = key.usual().map(it -> number ? (Object) Long.valueOf(it) : it);
    // Any value of a user's setting will do, but one that is not there has nothing to say.
    Object otherwise = key.required() ? ConfigDef.NO_DEFAULT_VALUE : usual.orElse(null);
    definition.define(
        name,
        number ? Type.LONG : Type.STRING,
        otherwise,
        new FormValidator(key.form()),
        key.required() ? Importance.HIGH : Importance.LOW,
        key.sentence());
  }
}
