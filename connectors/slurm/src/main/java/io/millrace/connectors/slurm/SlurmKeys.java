package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import java.util.LinkedHashMap;
import java.util.Map;

/** Keys of a Slurm's cluster file that several read, and settings as Slurm prints them. */
final class SlurmKeys {

  static final String CLUSTER_NAME = "cluster_name";
  static final String CONFIGURATION = "slurm_conf";
  static final String DATABASE = "database";
  static final String REST = "rest";

  private SlurmKeys() {}

  /** What Slurm's commands find around them. */
  static Map<String, String> environment(ClusterFile file) {
    return file.given(CONFIGURATION).map(it -> Map.of("SLURM_CONF", it)).orElse(Map.of());
  }

  /** Settings of the cluster as {@code scontrol show config} prints them. */
  static Map<String, String> settings(String text) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        settings.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
      }
    }
    return settings;
  }
}
