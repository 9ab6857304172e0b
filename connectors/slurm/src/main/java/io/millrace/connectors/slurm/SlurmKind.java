package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideSystem;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Slurm, as a cluster file calls it. */
public final class SlurmKind implements OutsideKind {

  static final String ACCOUNTING = "accounting";
  static final String CLUSTER_NAME = "cluster_name";
  static final String CONFIGURATION = "slurm_conf";

  @Override
  public String name() {
    return "slurm";
  }

  @Override
  public List<ClusterKey> keys() {
    return List.of(
        ClusterKey.required(
            CLUSTER_NAME,
            new ClusterKey.TextForm(
                Pattern.compile("[A-Za-z0-9_.-]{1,40}"),
                "a name of letters, digits, dots, hyphens and underscores"),
            "The ClusterName of its slurm.conf, so that no job goes to another cluster."),
        ClusterKey.optional(
            CONFIGURATION,
            ClusterKeys.PATH,
            "The slurm.conf, where Slurm's commands do not find it by themselves."),
        ClusterKey.optional(
            ACCOUNTING,
            ClusterKeys.PATH,
            "The file that jobcomp/filetxt writes; without it ends are read from the queue only,"
                + " which forgets jobs after MinJobAge."));
  }

  static Map<String, String> environment(ClusterFile file) {
    return file.given(CONFIGURATION).map(it -> Map.of("SLURM_CONF", it)).orElse(Map.of());
  }

  @Override
  public OutsideSystem open(ClusterFile file, CommandRunner runner) {
    return new SlurmSystem(file, runner);
  }

  @Override
  public List<String> programs() {
    return List.of("sbatch", "squeue", "scancel", "scontrol", "sinfo", "sdiag");
  }

  @Override
  public List<String> programsOfAccounts() {
    return List.of("sbatch", "scancel", "scontrol");
  }

  @Override
  public List<CheckLine> check(ClusterFile file, CommandRunner runner) throws InterruptedException {
    return new SlurmCheck(file, runner).lines();
  }
}
