package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import java.nio.file.Path;
import java.util.Map;

/** Keys of a Grid Engine's cluster file that several read, and what follows from them. */
final class SgeKeys {

  static final String ROOT = "sge_root";
  static final String CELL = "sge_cell";
  static final String PORT = "sge_qmaster_port";
  static final String REPORTING = "reporting";
  static final String EVENTS = "events";
  static final String PE = "parallel_environment";
  static final String PE_HOSTS = "parallel_environment_hosts";

  /** Stands in it for the slots on each host. */
  static final String SLOTS = "%";

  static final String MANAGED = "managed";
  static final String MEMORY = "memory";

  static final String ACCOUNTING = "accounting";

  private SgeKeys() {}

  static Map<String, String> environment(ClusterFile file) {
    return Map.of(
        "SGE_ROOT",
        file.text(ROOT),
        "SGE_CELL",
        file.text(CELL),
        "SGE_QMASTER_PORT",
        file.text(PORT));
  }

  static Path common(ClusterFile file) {
    return Path.of(file.text(ROOT), file.text(CELL), "common");
  }

  static Path accounting(ClusterFile file) {
    return file.given(ACCOUNTING).map(Path::of).orElse(common(file).resolve("accounting"));
  }
}
