package io.millrace.connectors.openpbs;

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
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The cluster of an OpenPBS server, by its commands. */
public final class PbsSystem implements OutsideSystem {

  static final PbsWords WORDS =
      new PbsWords(
          Pattern.compile(
              "(?im)^qsub: (illegal|unknown|unauthorized request|job violates|would exceed"
                  + "|.* exceeds |queue is not enabled|bad uid|node\\(s\\) specification"
                  + "|invalid option|access to queue is denied|no default queue"
                  + "|maximum number of jobs|request rejected|.*limit)"),
          Pattern.compile("(?i)unknown job id|job has finished"));

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final String server;
  private final PbsAccounting accounting;

  public PbsSystem(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(Map.of());
    this.server = file.text(PbsKind.SERVER);
    this.accounting =
        new PbsAccounting(file.given(PbsKind.ACCOUNTING), server, "project", PbsEnds::of);
  }

  @Override
  public Submitted submit(OutsideSubmission order) throws InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(file.program("qsub"));
    words.addAll(List.of("-P", order.tag().toString(), "-v", "MILLRACE=" + order.tag()));
    words.addAll(
        List.of("-N", PbsOrders.name(order.name()), "-r", "n", "-S", "/bin/bash", "-m", "n"));
    words.addAll(List.of("-o", "/dev/null", "-e", "/dev/null"));
    String host = order.place().host().map(it -> ":host=" + it).orElse("");
    words.addAll(List.of("-l", "select=1:ncpus=" + order.slots() + host));
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

  /** Jobs that are over are asked for only when no accounting file tells of them. */
  @Override
  public Told<List<OutsideJob>> snapshot() throws InterruptedException {
    List<String> words = new ArrayList<>(List.of(file.program("qstat")));
    if (accounting.folder().isEmpty()) {
      words.add("-x");
    }
    words.addAll(List.of("-f", "-F", "json", "@" + server));
    return PbsQueue.read(runner.run(commands.own(words)), server, ZoneId.systemDefault());
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
    List<String> nodes = List.of(file.program("pbsnodes"), "-av", "-F", "json", "-s", server);
    OutsideAnswer first = runner.run(commands.own(nodes));
    if (!first.isGood()) {
      return Told.nothing("pbsnodes: " + first.trouble());
    }
    List<String> queues = List.of(file.program("qstat"), "-Q", "-f", "-F", "json", "@" + server);
    OutsideAnswer second = runner.run(commands.own(queues));
    return PbsHosts.read(first, second, server, file.managedQueue());
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
