package io.millrace.server.gateway.trace;

import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.PbsCommandSet;
import java.util.Map;

/** The command that tells a job's history from logs. */
public final class TraceCommands implements PbsCommandSet {

  @Override
  public Map<String, Command> commands() {
    return Map.ofEntries(Map.entry("tracejob", new Tracejob()));
  }
}
