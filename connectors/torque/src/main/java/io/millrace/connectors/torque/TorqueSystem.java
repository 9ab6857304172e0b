package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.HostParts;
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
    String nodes =
        HostParts.of(
            order,
            (hosts, share) ->
                hosts.name().orElse(Integer.toString(hosts.count()))
                    + ":ppn="
                    + share.slots()
                    + PbsResources.words(share.asked(file.resources())));
    // Torque's is that of all hosts together.
    long kb = order.amounts().hosts().stream().mapToLong(OutsideShare::memoryKb).sum();
    return submit(order, "-A", List.of("nodes=" + nodes + (kb > 0 ? ",mem=" + kb + "kb" : "")));
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
