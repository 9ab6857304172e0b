package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.AccountCommands;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.PbsAccounting;
import io.millrace.connectors.openpbs.family.PbsOrders;
import io.millrace.connectors.openpbs.family.PbsWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The cluster of a Torque server, by its commands. */
public final class TorqueSystem implements OutsideSystem {

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

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final String server;
  private final PbsAccounting accounting;

  public TorqueSystem(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(Map.of());
    this.server = file.text(TorqueKind.SERVER);
    this.accounting =
        new PbsAccounting(file.given(TorqueKind.ACCOUNTING), server, "account", TorqueEnds::of);
  }

  @Override
  public Submitted submit(OutsideSubmission order) throws InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(file.program("qsub"));
    words.addAll(List.of("-A", order.tag().toString(), "-v", "MILLRACE=" + order.tag()));
    words.addAll(
        List.of("-N", PbsOrders.name(order.name()), "-r", "n", "-S", "/bin/bash", "-m", "n"));
    words.addAll(List.of("-o", "/dev/null", "-e", "/dev/null"));
    words.addAll(
        List.of("-l", "nodes=" + order.place().host().orElse("1") + ":ppn=" + order.slots()));
    order.wallSeconds().ifPresent(it -> words.addAll(List.of("-l", "walltime=" + it)));
    words.addAll(List.of("-q", order.place().queue().orElse("") + "@" + server));
    byte[] script = RunWrapper.of(file.text("spool"), order);
    return WORDS.submitted(runner.run(commands.as(order.account(), words, script)), server);
  }

  @Override
  public Told<List<OutsideJob>> tagged() throws InterruptedException {
    Told<List<OutsideJob>> all = snapshot();
    if (all instanceof Told.Answered<List<OutsideJob>> answer) {
      return Told.of(
          answer.value().stream()
              .filter(it -> it.tag().filter(tag -> tag.cluster().equals(file.name())).isPresent())
              .toList());
    }
    return all;
  }

  @Override
  public Told<List<OutsideJob>> snapshot() throws InterruptedException {
    List<String> words = List.of(file.program("qstat"), "-x", "@" + server);
    return TorqueQueue.read(runner.run(commands.own(words)), server);
  }

  @Override
  public Controlled control(OutsideId id, String account, OutsideAction action)
      throws InterruptedException {
    List<String> words = PbsOrders.control(file, id, server, action);
    return WORDS.controlled(runner.run(commands.as(account, words, new byte[0])));
  }

  @Override
  public Told<OutsideChanges> changes(String cursor) {
    return accounting.changes(cursor);
  }

  @Override
  public Told<OutsideInventory> inventory() throws InterruptedException {
    List<String> nodes = List.of(file.program("pbsnodes"), "-x", "-s", server);
    OutsideAnswer first = runner.run(commands.own(nodes));
    if (!first.isGood()) {
      return Told.nothing("pbsnodes: " + first.trouble());
    }
    List<String> queues = List.of(file.program("qstat"), "-Q", "-f", "@" + server);
    return TorqueHosts.read(first, runner.run(commands.own(queues)));
  }

  @Override
  public boolean hasAccounting() {
    return accounting.folder().isPresent();
  }

  @Override
  public boolean recordsUsage() {
    return accounting.folder().isPresent();
  }
}
