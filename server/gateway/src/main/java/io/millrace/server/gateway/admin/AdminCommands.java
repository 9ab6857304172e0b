package io.millrace.server.gateway.admin;

import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.PbsCommandSet;
import java.util.Map;

/** The commands of operators and managers. */
public final class AdminCommands implements PbsCommandSet {

  @Override
  public Map<String, Command> commands() {
    return Map.ofEntries(
        Map.entry("pbsnodes", new Pbsnodes()),
        Map.entry("pbsfs", new Pbsfs()),
        Map.entry("qmgr", new Qmgr()),
        Map.entry("qenable", QueueCommands.ENABLE),
        Map.entry("qdisable", QueueCommands.DISABLE),
        Map.entry("qstart", QueueCommands.START),
        Map.entry("qstop", QueueCommands.STOP),
        Map.entry("qterm", QueueCommands.TERMINATE),
        Map.entry("shards", new ShardList()));
  }
}
