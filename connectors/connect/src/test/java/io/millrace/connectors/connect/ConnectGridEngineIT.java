package io.millrace.connectors.connect;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.testkit.PeerAdministrator;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

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
        "cluster.parallel_environment_hosts",
        "mrpe.%",
        "cluster.resource.ngpus",
        "mrgpu/slot",
        "cluster.reporting",
        root + "/default/common/reporting");
  }

  @Override
  String variables() {
    return "$JOB_ID $NSLOTS";
  }

  @Override
  boolean breaksOff() {
    return false;
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

  @Override
  List<String> showing(long number) {
    return List.of("/usr/bin/qstat", "-j", Long.toString(number));
  }

  @Override
  Pattern limit() {
    return Pattern.compile("h_rt=(\\d+)");
  }

  @Override
  String noLonger() {
    return "of a job that has begun";
  }

  /** It has the reporting file anyhow. */
  @Override
  Map<String, String> hearing() {
    return Map.of();
  }

  /** Its own accounting file is another one, and there is no setting for none. */
  @Override
  Map<String, String> withoutAccounting() throws Exception {
    return Map.of(
        "cluster.accounting",
        Files.createTempFile("millrace-none", "").toString(),
        "cluster.reporting",
        "");
  }

  /** That of a job of which nobody knows how it has ended. */
  @Override
  int endOfTheQueueAlone() {
    return -4;
  }

  /** It does so anyhow. */
  @Override
  void forgetSoon(boolean soon) {}

  @Override
  String placed() {
    return "mr.place";
  }

  @Override
  String place() {
    return "$QUEUE $(hostname)";
  }
}
