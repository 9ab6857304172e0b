package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.PbsFamilySystem;
import io.millrace.connectors.openpbs.family.PbsResources;
import io.millrace.connectors.openpbs.family.PbsWords;
import java.util.List;
import java.util.regex.Pattern;

/** The cluster of a Torque server, by its commands. */
public final class TorqueSystem extends PbsFamilySystem {

  static final PbsWords WORDS =
      new PbsWords(
          Pattern.compile(
              "(?im)^qsub: (illegal|submit filter returned|your job has been administratively"
                  + " rejected|submit error \\((unknown queue|unauthorized request"
                  + "|illegal attribute or resource value|cannot set attribute|undefined attribute"
                  + "|queue is not enabled|access to queue is denied|access from host not allowed"
                  + "|bad [ug]id for job execution|unknown resource type|unknown node"
                  + "|job exceeds queue resource limits|resource limit exceeds|invalid account"
                  + "|no default queue|job rejected by all|maximum number of jobs))"),
          Pattern.compile("(?i)unknown job id|invalid state for job - complete"));

  public TorqueSystem(ClusterFile file, CommandRunner runner) {
    super(file, runner, WORDS, "account", TorqueEnds::of);
  }

  @Override
  public Submitted submit(OutsideSubmission order) throws InterruptedException {
    long kb = order.amounts().memoryKb();
    String memory = kb > 0 ? ",mem=" + kb + "kb" : "";
    String host = order.place().host().orElse("1");
    String more = PbsResources.words(order.amounts().asked(file.resources()));
    return submit(order, "-A", "nodes=" + host + ":ppn=" + order.amounts().slots() + more + memory);
  }

  @Override
  public Told<List<OutsideJob>> snapshot() throws InterruptedException {
    return jobs(ask(question("@" + server)));
  }

  @Override
  protected List<String> question(String what) {
    return List.of(file.program("qstat"), "-x", what);
  }

  @Override
  protected Told<List<OutsideJob>> jobs(OutsideAnswer answer) {
    return TorqueQueue.read(answer, server, file.resources());
  }

  @Override
  public Told<OutsideInventory> inventory() throws InterruptedException {
    List<String> nodes = List.of(file.program("pbsnodes"), "-x", "-s", server);
    OutsideAnswer first = ask(nodes);
    if (!first.isGood()) {
      return Told.nothing("pbsnodes: " + first.trouble());
    }
    List<String> queues = List.of(file.program("qstat"), "-Q", "-f", "@" + server);
    return TorqueHosts.read(first, ask(queues), file.resources());
  }
}
