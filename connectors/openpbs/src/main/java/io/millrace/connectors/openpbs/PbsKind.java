package io.millrace.connectors.openpbs;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.openpbs.family.PbsFamilyKind;
import java.util.List;

/** OpenPBS, as a cluster file calls it. */
public final class PbsKind extends PbsFamilyKind {

  public PbsKind() {
    super("history of jobs, which the server then has to keep.");
  }

  @Override
  public String name() {
    return "openpbs";
  }

  @Override
  protected List<ClusterKey> moreKeys() {
    return List.of(
        ClusterKey.optional(
            HOOK_FILE,
            ClusterKeys.PATH,
            "The file that the server's hook millrace-pbs-hook.py writes; with it begins and ends"
                + " are known at once where the accounting files cannot be read."));
  }

  @Override
  public OutsideSystem open(ClusterFile file, CommandRunner runner) {
    return new PbsSystem(file, runner);
  }

  @Override
  public List<CheckLine> check(ClusterFile file, CommandRunner runner) throws InterruptedException {
    return new PbsCheck(file, runner).lines();
  }
}
