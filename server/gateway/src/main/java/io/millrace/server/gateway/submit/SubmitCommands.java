package io.millrace.server.gateway.submit;

import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.PbsCommandSet;
import java.util.Map;

/** The command that submits jobs. */
public final class SubmitCommands implements PbsCommandSet {

  @Override
  public Map<String, Command> commands() {
    return Map.ofEntries(Map.entry("qsub", new Qsub()));
  }
}
