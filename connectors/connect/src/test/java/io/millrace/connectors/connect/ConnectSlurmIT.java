package io.millrace.connectors.connect;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.connectors.testkit.PeerAdministrator;
import java.util.List;
import java.util.Map;

class ConnectSlurmIT extends ConnectContract {

  @Override
  OutsideKind kind() {
    return new SlurmKind();
  }

  @Override
  String script() {
    return "slurm.sh";
  }

  @Override
  PeerAdministrator administrator() {
    return PeerAdministrator.SLURM;
  }

  @Override
  String submitting() {
    return "sbatch";
  }

  @Override
  Map<String, String> keys() {
    return Map.of(
        "cluster.cluster_name", "hand",
        "cluster.accounting", "/var/spool/millrace-slurm/jobcomp");
  }

  @Override
  String variables() {
    return "$SLURM_JOB_ID $SLURM_CPUS_PER_TASK";
  }

  @Override
  boolean suspends() {
    return false;
  }

  @Override
  List<String> ofSomebodyElse(int seconds) {
    return List.of(
        "/usr/sbin/runuser",
        "-u",
        "mrbob",
        "--",
        "/usr/bin/sbatch",
        "--parsable",
        "-o",
        "/dev/null",
        "-e",
        "/dev/null",
        "--chdir=/",
        "--wrap=exec sleep " + seconds);
  }
}
