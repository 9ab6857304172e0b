package io.millrace.connectors.openpbs;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.openpbs.family.PbsFamilyKind;
import java.util.List;
import java.util.regex.Pattern;

/** OpenPBS, as a cluster file calls it. */
public final class PbsKind extends PbsFamilyKind {

  public PbsKind() {
    super(
        "history of jobs, which the server then has to keep.",
        ClusterKeys.resources(
            new ClusterKey.TextForm(
                Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}"),
                "a name of letters, digits, hyphens and underscores"),
            "A resource of type long or size that vnodes have in resources_available, and that"
                + " chunks ask for."));
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
