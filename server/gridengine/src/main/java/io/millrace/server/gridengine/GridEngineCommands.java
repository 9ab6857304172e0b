package io.millrace.server.gridengine;

import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.CommandSet;
import io.millrace.server.gateway.help.Page;
import io.millrace.server.gridengine.change.AlterCommand;
import io.millrace.server.gridengine.change.DeleteCommand;
import io.millrace.server.gridengine.change.HoldCommand;
import io.millrace.server.gridengine.policy.PolicyLoad;
import io.millrace.server.gridengine.policy.PolicyShow;
import io.millrace.server.gridengine.stat.StatCommand;
import io.millrace.server.gridengine.submit.SubmitCommand;
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
