package io.millrace.connectors.openpbs;

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
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The cluster of an OpenPBS server, by its commands. */
public final class PbsSystem extends PbsFamilySystem {

  static final PbsWords WORDS =
      new PbsWords(
          Pattern.compile(
              "(?im)^qsub: (illegal|unknown|unauthorized request|job violates|would exceed"
                  + "|.* exceeds |queue is not enabled|bad uid|node\\(s\\) specification"
                  + "|invalid option|access to queue is denied|no default queue"
                  + "|maximum number of jobs|request rejected|.*limit)"),
          Pattern.compile("(?i)unknown job id|job has finished"));

  public PbsSystem(ClusterFile file, CommandRunner runner) {
    super(file, runner, WORDS, "project", PbsEnds::of);
  }

  @Override
  public Submitted submit(OutsideSubmission order) throws InterruptedException {
    String select = "select=" + HostParts.of(order, this::chunk);
    return submit(
        order,
        "-P",
        order.amounts().isSpread() ? List.of(select, "place=scatter") : List.of(select));
  }

  private String chunk(HostParts.PartHosts hosts, OutsideShare share) {
    return hosts.count()
        + ":ncpus="
        + share.slots()
        + (share.memoryKb() > 0 ? ":mem=" + share.memoryKb() + "kb" : "")
        + PbsResources.words(share.asked(file.resources()))
        + hosts.name().map(it -> ":host=" + it).orElse("");
  }

  /**
   * Jobs that are there. Those that are over, which the server may keep for weeks, are asked for by
   * their numbers; a cluster that is only observed has no numbers of ours, and all are asked for
   * where no accounting file tells of their ends.
   */
  @Override
  public Told<List<OutsideJob>> snapshot() throws InterruptedException {
    return jobs(ask(question("@" + server, file.observes() && !hasAccounting())));
  }

  /** With those that are over, where no accounting file tells of a run that has ended at once. */
  @Override
  public Told<List<OutsideJob>> tagged() throws InterruptedException {
    return OutsideJob.ofCluster(jobs(ask(question("@" + server, !hasAccounting()))), file.name());
  }

  @Override
  public boolean snapshotHasTags() {
    return hasAccounting();
  }

  /** Of its history. */
  @Override
  public boolean numbersTellEnds() {
    return !hasAccounting();
  }

  @Override
  protected List<String> question(String number) {
    return question(number, !hasAccounting());
  }

  private List<String> question(String what, boolean history) {
    List<String> words = new ArrayList<>(List.of(file.program("qstat")));
    if (history) {
      words.add("-x");
    }
    words.addAll(List.of("-f", "-F", "json", what));
    return words;
  }

  @Override
  protected Told<List<OutsideJob>> jobs(OutsideAnswer answer) {
    return PbsQueue.read(answer, server, ZoneId.systemDefault(), file.resources());
  }

  @Override
  public Told<OutsideInventory> inventory() throws InterruptedException {
    List<String> nodes = List.of(file.program("pbsnodes"), "-av", "-F", "json", "-s", server);
    OutsideAnswer first = ask(nodes);
    if (!first.isGood()) {
      return Told.nothing("pbsnodes: " + first.trouble());
    }
    List<String> queues = List.of(file.program("qstat"), "-Q", "-f", "-F", "json", "@" + server);
    OutsideAnswer second = ask(queues);
    return PbsHosts.read(first, second, server, file.managedQueue(), file.resources());
  }
}
