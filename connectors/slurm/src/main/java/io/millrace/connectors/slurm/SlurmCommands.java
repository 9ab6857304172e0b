package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.util.ArrayList;
import java.util.List;

/** Slurm's commands on this host. */
final class SlurmCommands implements SlurmDoor {

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;

  SlurmCommands(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(SlurmKeys.environment(file));
  }

  @Override
  public OutsideAnswer ask(List<String> words) throws InterruptedException {
    return runner.run(commands.own(program(words)));
  }

  @Override
  public OutsideAnswer queueAs(String account, List<String> words) throws InterruptedException {
    return runner.run(commands.queueAs(account, program(words)));
  }

  @Override
  public OutsideAnswer order(String account, List<String> words, byte[] input)
      throws InterruptedException {
    return runner.run(commands.as(account, program(words), input));
  }

  private List<String> program(List<String> words) {
    List<String> all = new ArrayList<>(words);
    all.set(0, file.program(words.get(0)));
    return all;
  }

  @Override
  public boolean isSubmitting(OutsideTag tag, String account) {
    return runner.isUnderWay(account, tag.toString());
  }
}
