package io.millrace.connectors.connect;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.connectors.testkit.PeerAdministrator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

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
        "cluster.resource.ngpus", "gres/gpu",
        "cluster.accounting", "/var/spool/millrace-slurm/jobcomp");
  }

  @Override
  String variables() {
    return "$SLURM_JOB_ID $SLURM_CPUS_PER_TASK";
  }

  @Override
  boolean breaksOff() {
    return true;
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

  @Override
  List<String> showing(long number) {
    return List.of("/usr/bin/scontrol", "show", "job", Long.toString(number));
  }

  @Override
  Pattern limit() {
    return Pattern.compile(" TimeLimit=(\\S+)");
  }

  @Override
  String noLonger() {
    return "permission";
  }

  @Override
  Map<String, String> hearing() {
    return Map.of("cluster.starts", "/var/spool/millrace-slurm/starts");
  }

  @Override
  Map<String, String> withoutAccounting() {
    return Map.of("cluster.accounting", "");
  }

  @Override
  int endOfTheQueueAlone() {
    return 4;
  }

  /** Each minute it looks for what is over for long enough. */
  @Override
  void forgetSoon(boolean soon) throws Exception {
    system("set", "MinJobAge", soon ? "2" : "300");
  }

  @Override
  String placed() {
    return "mrplace";
  }

  @Override
  String place() {
    return "$SLURM_JOB_PARTITION $SLURMD_NODENAME";
  }
}
