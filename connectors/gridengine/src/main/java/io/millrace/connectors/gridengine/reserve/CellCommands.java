package io.millrace.connectors.gridengine.reserve;

import io.millrace.connectors.bridge.cluster.ClusterCheck;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Commands of a manager of a cell, each with fixed words. */
final class CellCommands {

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;

  CellCommands(ClusterFile file, CommandRunner runner, Map<String, String> environment) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(environment);
  }

  private OutsideAnswer run(String program, List<String> words) throws InterruptedException {
    List<String> all = new ArrayList<>();
    all.add(file.program(program));
    all.addAll(words);
    return runner.run(commands.own(all));
  }

  /** What a question is answered with. */
  String ask(String program, String... words) throws CellTrouble, InterruptedException {
    return text(program, words).toString();
  }

  /** The same of an answer that may be long. */
  OutsideText text(String program, String... words) throws CellTrouble, InterruptedException {
    OutsideAnswer answer = run(program, List.of(words));
    if (!answer.isGood()) {
      throw new CellTrouble(program + " " + String.join(" ", words) + ": " + answer.trouble());
    }
    return answer.text();
  }

  /** Names of a list; one that has nothing in it is an error for qconf. */
  List<String> list(String option) throws CellTrouble, InterruptedException {
    OutsideAnswer answer = run("qconf", List.of(option));
    if (!answer.isGood() && !(answer.isWhole() && answer.said().matches("no .* defined"))) {
      throw new CellTrouble("qconf " + option + ": " + answer.trouble());
    }
    return answer.isGood()
        ? answer.out().lines().map(String::strip).filter(it -> !it.isEmpty()).toList()
        : List.of();
  }

  /** Runs a program that changes something in the cell. */
  void order(String program, String... words) throws CellTrouble, InterruptedException {
    ask(program, words);
  }

  /** What comes of an order in the name of an account. */
  OutsideAnswer orderAs(String account, String program, String... words)
      throws InterruptedException {
    List<String> all = new ArrayList<>(List.of(file.program(program)));
    all.addAll(List.of(words));
    return runner.run(commands.as(account, all, new byte[0]));
  }

  /** Whether an account is a user's, and none of the system. */
  boolean isUser(String account) throws CellTrouble, InterruptedException {
    if (!AccountCommands.PLAIN_ACCOUNT.matcher(account).matches()) {
      return false;
    }
    OutsideAnswer id = runner.run(commands.own(List.of("/usr/bin/id", "-u", "--", account)));
    if (!id.isWhole()) {
      throw new CellTrouble("who " + account + " is cannot be told: " + id.trouble());
    }
    String said = id.out().strip();
    return id.isGood()
        && said.matches("[0-9]{1,10}")
        && Long.parseLong(said) >= ClusterCheck.UID_LEAST;
  }

  /** Has an object made or changed as a text says. */
  void put(String option, String text) throws CellTrouble, InterruptedException {
    Optional<Path> written = Optional.empty();
    try {
      written = Optional.of(Files.createTempFile("millrace-qconf", ""));
      Files.writeString(written.get(), text);
      order("qconf", option, written.get().toString());
    } catch (IOException e) {
      throw new CellTrouble("qconf " + option + ": " + e.getMessage());
    } finally {
      written.ifPresent(it -> it.toFile().delete());
    }
  }
}
