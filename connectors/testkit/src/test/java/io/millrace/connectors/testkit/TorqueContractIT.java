package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.torque.TorqueKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** With a live Torque, whose folder {@code MILLRACE_TORQUE} names; else it is not run. */
class TorqueContractIT extends OutsideContract {

  private static final String FOLDER = System.getenv().getOrDefault("MILLRACE_TORQUE", "");
  private static final Path HOME = Path.of("/var/spool/torque");

  @Override
  OutsideKind kind() {
    return new TorqueKind();
  }

  @Override
  String script() {
    return "torque.sh";
  }

  @Override
  Map<String, String> environment() {
    return Map.of("MILLRACE_TORQUE", FOLDER);
  }

  @Override
  List<String> keys() throws IOException {
    return List.of(
        "server = " + Files.readString(HOME.resolve("server_name")).strip(),
        "commands = " + FOLDER + "/bin",
        "accounting = " + HOME.resolve("server_priv/accounting"));
  }

  @Override
  Set<String> submitting() {
    return Set.of("qsub", FOLDER + "/bin/qsub");
  }
}
