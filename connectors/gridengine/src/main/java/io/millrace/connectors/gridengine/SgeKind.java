package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Grid Engine, as a cluster file calls it. */
public final class SgeKind implements OutsideKind {

  static final String ROOT = "sge_root";
  static final String CELL = "sge_cell";
  static final String PORT = "sge_qmaster_port";
  static final String REPORTING = "reporting";
  static final String PE = "parallel_environment";

  private static final String ACCOUNTING = "accounting";

  private static final ClusterKey.TextForm NAME =
      new ClusterKey.TextForm(
          Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}"),
          "a name of letters, digits, dots, hyphens and underscores");

  @Override
  public String name() {
    return "gridengine";
  }

  @Override
  public List<ClusterKey> keys() {
    return List.of(
        ClusterKey.required(ROOT, ClusterKeys.PATH, "SGE_ROOT of the cluster."),
        ClusterKey.with(CELL, "default", NAME, "SGE_CELL of the cluster."),
        ClusterKey.number(
            PORT,
            6444,
            new ClusterKey.NumberForm(1, 65535, "port"),
            "The port of qmaster, where it is not the usual one."),
        ClusterKey.optional(
            ACCOUNTING,
            ClusterKeys.PATH,
            "The accounting file, where it is not in the folder common of the cell."),
        ClusterKey.optional(
            REPORTING,
            ClusterKeys.PATH,
            "The reporting file; with it starts are known at once, without it at the next question"
                + " for the queue."),
        ClusterKey.optional(PE, NAME, "The parallel environment of jobs with more than one slot."));
  }

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

  @Override
  public OutsideSystem open(ClusterFile file, CommandRunner runner) {
    return new SgeSystem(file, runner);
  }

  @Override
  public List<String> programs() {
    return List.of("qsub", "qdel", "qhold", "qrls", "qmod", "qstat", "qhost", "qconf", "qping");
  }

  @Override
  public List<String> programsOfAccounts() {
    return List.of("qsub", "qdel", "qhold", "qrls", "qmod");
  }

  @Override
  public List<CheckLine> check(ClusterFile file, CommandRunner runner) throws InterruptedException {
    return new SgeCheck(file, runner).lines();
  }
}
