package io.millrace.ops.gridengine.front;

import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.CommandSet;
import io.millrace.server.gateway.help.Page;
import java.util.Map;

/** Grid Engine's commands by their names. */
public final class GridEngineCommands implements CommandSet {

  @Override
  public Map<String, Command> commands() {
    return Map.of(
        "sge/qsub", new SubmitCommand(),
        "sge/qstat", new StatCommand(),
        "sge/qdel", new DeleteCommand(),
        "sge/qhold", new HoldCommand(true),
        "sge/qrls", new HoldCommand(false),
        "sge/qalter", new AlterCommand(),
        "policy-load", new PolicyLoad(),
        "policy-show", new PolicyShow());
  }

  @Override
  public Map<String, Page> pages() {
    return Pages.byCommand();
  }
}
