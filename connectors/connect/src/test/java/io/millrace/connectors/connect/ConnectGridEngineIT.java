package io.millrace.connectors.connect;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.testkit.PeerAdministrator;
import java.util.List;
import java.util.Map;

class ConnectGridEngineIT extends ConnectContract {

  @Override
  OutsideKind kind() {
    return new SgeKind();
  }

  @Override
  String script() {
    return "gridengine.sh";
  }

  @Override
  PeerAdministrator administrator() {
    return PeerAdministrator.GRID_ENGINE;
  }

  @Override
  String submitting() {
    return "qsub";
  }

  @Override
  Map<String, String> keys() {
    String root = "/var/lib/gridengine";
    return Map.of(
        "cluster.system",
        "gridengine",
        "cluster.sge_root",
        root,
        "cluster.parallel_environment",
        "mrsmp",
        "cluster.reporting",
        root + "/default/common/reporting");
  }

  @Override
  String variables() {
    return "$JOB_ID $NSLOTS";
  }

  @Override
  boolean suspends() {
    return true;
  }

  @Override
  List<String> ofSomebodyElse(int seconds) {
    return List.of(
        "/usr/sbin/runuser",
        "-u",
        "mrbob",
        "--",
        "/usr/bin/qsub",
        "-terse",
        "-o",
        "/dev/null",
        "-e",
        "/dev/null",
        "-wd",
        "/",
        "-b",
        "y",
        "/bin/sleep",
        Integer.toString(seconds));
  }
}
