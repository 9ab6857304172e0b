package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * The command line of a forwarding executor.
 *
 * @param terms with which it serves its cluster
 * @param forget whether what was shown of the cluster is taken back, and nothing else is done
 */
record ForwardOptions(ServedTerms terms, boolean forget) {

  private static final String FORGET = "--forget";

  private static final ProgramOptions OPTIONS =
      Health.addTo(
              ProgramOptions.ofProcess(
                  "millrace-forward",
                  "Carries out the runs of the nodes HOST@CLUSTER, in that cluster."))
          .kafka()
          .value("--cluster", "FILE", "the cluster file")
          .value("--spool", "DIR", "what it has to remember; no other forwarder may have it")
          .flag(FORGET, "take back all that was shown of its jobs and hosts, and end");

  /** The options as they were given, for those that every part has. */
  static GivenOptions given(String... args) throws UsageException {
    return OPTIONS.parse(args);
  }

  /**
   * @throws UsageException with one line that says what is wrong and what would be right
   * @throws IOException the same of a file
   */
  static ForwardOptions parse(String... args) throws IOException, UsageException {
    List<OutsideKind> kinds =
        ServiceLoader.load(OutsideKind.class).stream().map(ServiceLoader.Provider::get).toList();
    return parse(kinds, args);
  }

  /** The same where these kinds of systems are known. */
  static ForwardOptions parse(List<OutsideKind> kinds, String... args)
      throws IOException, UsageException {
    GivenOptions given = OPTIONS.parse(args);
    ClusterFile file;
    try {
      file = ClusterFile.read(Path.of(given.require("--cluster")), kinds);
    } catch (ClusterFault e) {
      throw new IOException(e.getMessage(), e);
    }
    Map<String, Object> kafka = given.kafka();
    if (!kafka.containsKey(HostKey.PROPERTY)) {
      throw given.wrong(
          "cluster "
              + file.name()
              + " has no key: give as --properties the file that ./millrace keys host add @"
              + file.name()
              + " makes");
    }
    return new ForwardOptions(
        ServedTerms.of(file, kafka, Path.of(given.require("--spool"))), given.has(FORGET));
  }
}
