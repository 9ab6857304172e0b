package io.millrace.server.gateway.status;

import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.PbsCommandSet;
import java.util.Map;

/** The commands that show jobs, queues, the server and what became of a job. */
public final class StatusCommands implements PbsCommandSet {

  @Override
  public Map<String, Command> commands() {
    return Map.ofEntries(
        Map.entry("qstat", new Qstat()),
        Map.entry("qselect", new Qselect()),
        Map.entry("why", new Why()));
  }
}
