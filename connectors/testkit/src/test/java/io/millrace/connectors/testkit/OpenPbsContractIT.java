package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.openpbs.PbsKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** With a live OpenPBS, whose folder {@code MILLRACE_OPENPBS} names; else it is not run. */
class OpenPbsContractIT extends OutsideContract {

  private static final String FOLDER = System.getenv().getOrDefault("MILLRACE_OPENPBS", "");

  @Override
  OutsideKind kind() {
    return new PbsKind();
  }

  @Override
  String script() {
    return "openpbs.sh";
  }

  @Override
  Map<String, String> environment() {
    return Map.of("MILLRACE_OPENPBS", FOLDER);
  }

  @Override
  List<String> keys() throws IOException {
    return List.of(
        "server = " + setting("PBS_SERVER"),
        "commands = " + FOLDER + "/bin",
        "accounting = " + setting("PBS_HOME") + "/server_priv/accounting");
  }

  private static String setting(String name) throws IOException {
    return Files.readAllLines(Path.of("/etc/pbs.conf")).stream()
        .filter(it -> it.startsWith(name + "="))
        .map(it -> it.substring(name.length() + 1).strip())
        .findFirst()
        .orElseThrow(() -> new IOException("/etc/pbs.conf has no " + name));
  }

  @Override
  Set<String> submitting() {
    return Set.of("qsub", FOLDER + "/bin/qsub");
  }
}
