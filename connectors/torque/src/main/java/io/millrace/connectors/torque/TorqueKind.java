package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.openpbs.family.PbsFamilyKind;
import java.util.List;
import java.util.regex.Pattern;

/** Torque, as a cluster file calls it. */
public final class TorqueKind extends PbsFamilyKind {

  public TorqueKind() {
    super(
        "jobs that the server keeps for keep_completed.",
        ClusterKeys.resources(
            new ClusterKey.TextForm(Pattern.compile("gpus|mics"), "gpus or mics"),
            "What pbsnodes shows of a node, and jobs ask for with nodes=; of others the server tells"
                + " nothing."));
  }

  @Override
  public String name() {
    return "torque";
  }

  @Override
  public OutsideSystem open(ClusterFile file, CommandRunner runner) {
    return new TorqueSystem(file, runner);
  }

  @Override
  public List<CheckLine> check(ClusterFile file, CommandRunner runner) throws InterruptedException {
    return new TorqueCheck(file, runner).lines();
  }
}
