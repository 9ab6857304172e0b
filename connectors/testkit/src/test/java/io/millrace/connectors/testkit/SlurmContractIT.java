package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.slurm.SlurmKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    return List.of("cluster_name = hand", "accounting = /var/spool/millrace-slurm/jobcomp");
  }

  @Override
  Set<String> submitting() {
    return Set.of("sbatch", "/usr/bin/sbatch");
  }

  @Override
  List<String> words(AdministratorOrder order, long number) {
    String job = Long.toString(number);
    return switch (order) {
      case CANCEL -> List.of("/usr/bin/scancel", job);
      case HOLD -> List.of("/usr/bin/scontrol", "hold", job);
      case RELEASE -> List.of("/usr/bin/scontrol", "release", job);
      case REQUEUE -> List.of("/usr/bin/scontrol", "requeue", job);
      case SUSPEND -> List.of("/usr/bin/scontrol", "suspend", job);
      case RESUME -> List.of("/usr/bin/scontrol", "resume", job);
      case CLOSE_QUEUE -> update("PartitionName=batch", "State=DOWN");
      case OPEN_QUEUE -> update("PartitionName=batch", "State=UP");
      case DRAIN -> update("NodeName=" + host(), "State=DRAIN", "Reason=kit");
      case UNDRAIN -> update("NodeName=" + host(), "State=RESUME");
    };
  }

  private static List<String> update(String... words) {
    List<String> all = new ArrayList<>(List.of("/usr/bin/scontrol", "update"));
    all.addAll(List.of(words));
    return all;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  Map<String, String> administratorsEnvironment() {
    return Map.of();
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
