package io.millrace.server.gridengine;

import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.CommandSet;
import io.millrace.server.gateway.help.Page;
import io.millrace.server.gridengine.advance.AdvanceAccountCommand;
import io.millrace.server.gridengine.advance.AdvanceDeleteCommand;
import io.millrace.server.gridengine.advance.AdvanceStatCommand;
import io.millrace.server.gridengine.advance.ReserveCommand;
import io.millrace.server.gridengine.change.AlterCommand;
import io.millrace.server.gridengine.change.DeleteCommand;
import io.millrace.server.gridengine.change.HoldCommand;
import io.millrace.server.gridengine.change.ModifyCommand;
import io.millrace.server.gridengine.policy.PolicyLoad;
import io.millrace.server.gridengine.policy.PolicyShow;
import io.millrace.server.gridengine.stat.StatCommand;
import io.millrace.server.gridengine.submit.SubmitCommand;
import java.util.Map;

/** Grid Engine's commands by their names. */
public final class GridEngineCommands implements CommandSet {

  @Override
  public Map<String, Command> commands() {
    return Map.ofEntries(
        Map.entry("sge/qsub", new SubmitCommand()),
        Map.entry("sge/qstat", new StatCommand()),
        Map.entry("sge/qdel", new DeleteCommand()),
        Map.entry("sge/qhold", new HoldCommand(true)),
        Map.entry("sge/qrls", new HoldCommand(false)),
        Map.entry("sge/qalter", new AlterCommand()),
        Map.entry("sge/qmod", new ModifyCommand()),
        Map.entry("sge/qacct", new AdvanceAccountCommand()),
        Map.entry("sge/qrsub", new ReserveCommand()),
        Map.entry("sge/qrstat", new AdvanceStatCommand()),
        Map.entry("sge/qrdel", new AdvanceDeleteCommand()),
        Map.entry("policy-load", new PolicyLoad()),
        Map.entry("policy-show", new PolicyShow()));
  }

  @Override
  public Map<String, Page> pages() {
    return Pages.byCommand();
  }
}
