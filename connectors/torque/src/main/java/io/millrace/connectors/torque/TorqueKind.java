package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideSystem;
import java.util.List;
import java.util.regex.Pattern;

/** Torque, as a cluster file calls it. */
public final class TorqueKind implements OutsideKind {

  static final String ACCOUNTING = "accounting";
  static final String SERVER = "server";

  @Override
  public String name() {
    return "torque";
  }

  @Override
  public List<ClusterKey> keys() {
    return List.of(
        ClusterKey.required(
            SERVER,
            new ClusterKey.TextForm(
                Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,254}"),
                "a name of letters, digits, dots and hyphens"),
            "The server as it stands behind the dot in numbers of jobs, so that no job goes to"
                + " another one."),
        ClusterKey.optional(
            ACCOUNTING,
            ClusterKeys.PATH,
            "The folder of the server's accounting files; without it ends are read from the jobs"
                + " that the server keeps for keep_completed."));
  }

  @Override
  public OutsideSystem open(ClusterFile file, CommandRunner runner) {
    return new TorqueSystem(file, runner);
  }

  @Override
  public List<String> programs() {
    return List.of("qsub", "qstat", "qdel", "qhold", "qrls", "qsig", "pbsnodes");
  }

  @Override
  public List<String> programsOfAccounts() {
    return List.of("qsub", "qdel", "qhold", "qrls", "qsig");
  }

  @Override
  public List<CheckLine> check(ClusterFile file, CommandRunner runner) throws InterruptedException {
    return new TorqueCheck(file, runner).lines();
  }
}
