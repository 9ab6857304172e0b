package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.slurm.SlurmKind;
import java.util.List;
import java.util.Set;

class SlurmContractIT extends AdministeredContract {

  @Override
  OutsideKind kind() {
    return new SlurmKind();
  }

  @Override
  String script() {
    return "slurm.sh";
  }

  @Override
  List<String> keys() {
    return List.of(
        "cluster_name = hand",
        "accounting = /var/spool/millrace-slurm/jobcomp",
        "starts = /var/spool/millrace-slurm/starts");
  }

  @Override
  Set<String> submitting() {
    return Set.of("sbatch", "/usr/bin/sbatch");
  }

  @Override
  PeerAdministrator administrator() {
    return PeerAdministrator.SLURM;
  }

  @Override
  boolean passesSignals() {
    return true;
  }

  @Override
  boolean takesArrays() {
    return true;
  }
}
