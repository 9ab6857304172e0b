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
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.AccountingDays;
import io.millrace.connectors.openpbs.family.PbsRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cluster of an OpenPBS server, by its commands. */
public final class PbsSystem implements OutsideSystem {

  private static final int NAME_MOST = 200;

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final String server;
  private final Optional<AccountingDays> accounting;

  public PbsSystem(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(Map.of());
    this.server = file.text(PbsKind.SERVER);
    this.accounting = file.given(PbsKind.ACCOUNTING).map(it -> new AccountingDays(Path.of(it)));
  }

  @Override
  public Submitted submit(OutsideSubmission order) throws InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(file.program("qsub"));
    words.addAll(List.of("-P", order.tag().toString(), "-v", "MILLRACE=" + order.tag()));
    words.addAll(List.of("-N", name(order.name()), "-r", "n", "-S", "/bin/bash", "-m", "n"));
    words.addAll(List.of("-o", "/dev/null", "-e", "/dev/null"));
    words.addAll(List.of("-l", "select=1:ncpus=" + order.slots()));
    order.wallSeconds().ifPresent(it -> words.addAll(List.of("-l", "walltime=" + it)));
    words.addAll(List.of("-q", order.queue().orElse("") + "@" + server));
    byte[] script = RunWrapper.of(file.text("spool"), order);
    return PbsWords.submitted(runner.run(commands.as(order.account(), words, script)), server);
  }

  /** A name that PBS takes: it begins with a letter or a digit and has no spaces. */
  static String name(String name) {
    StringBuilder clean = new StringBuilder();
    name.codePoints()
        .limit(NAME_MOST)
        .map(it -> it < 128 && (Character.isLetterOrDigit(it) || "._-".indexOf(it) >= 0) ? it : '_')
        .forEach(clean::appendCodePoint);
    boolean good = !clean.isEmpty() && Character.isLetterOrDigit(clean.charAt(0));
    return good ? clean.toString() : "J" + clean;
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
    if (accounting.isEmpty()) {
      words.add("-x");
    }
    words.addAll(List.of("-f", "-F", "json", "@" + server));
    return PbsQueue.read(runner.run(commands.own(words)), server, ZoneId.systemDefault());
  }

  @Override
  public Controlled control(OutsideId id, String account, OutsideAction action)
      throws InterruptedException {
    String task = id.task() == 0 ? "" : "[" + id.task() + "]";
    String number = id.number() + task + "." + server;
    List<String> words =
        switch (action) {
          case HOLD -> List.of(file.program("qhold"), "-h", "u", number);
          case RELEASE -> List.of(file.program("qrls"), "-h", "u", number);
          case SUSPEND -> List.of(file.program("qsig"), "-s", "suspend", number);
          case RESUME -> List.of(file.program("qsig"), "-s", "resume", number);
          case DELETE -> List.of(file.program("qdel"), number);
        };
    return PbsWords.controlled(runner.run(commands.as(account, words, new byte[0])));
  }

  @Override
  public Told<OutsideChanges> changes(String cursor) {
    if (accounting.isEmpty()) {
      return Told.of(new OutsideChanges(List.of(), List.of(), cursor, true, false));
    }
    try {
      AccountingDays.Days days = accounting.get().read(cursor);
      List<OutsideRecord> records =
          days.read().lines().stream()
              .flatMap(it -> PbsRecord.record(it, server, "project", PbsEnds::of).stream())
              .toList();
      return Told.of(
          new OutsideChanges(
              records, List.of(), days.cursor(), days.read().atEnd(), days.read().gap()));
    } catch (IOException e) {
      return Told.nothing(file.text(PbsKind.ACCOUNTING) + ": " + e.getMessage());
    }
  }

  @Override
  public Told<OutsideInventory> inventory() throws InterruptedException {
    List<String> nodes = List.of(file.program("pbsnodes"), "-av", "-F", "json", "-s", server);
    OutsideAnswer first = runner.run(commands.own(nodes));
    if (!first.isGood()) {
      return Told.nothing("pbsnodes: " + first.trouble());
    }
    List<String> queues = List.of(file.program("qstat"), "-Q", "-f", "-F", "json", "@" + server);
    return PbsHosts.read(first, runner.run(commands.own(queues)), server);
  }

  @Override
  public boolean hasAccounting() {
    return accounting.isPresent();
  }

  @Override
  public boolean recordsUsage() {
    return accounting.isPresent();
  }
}
