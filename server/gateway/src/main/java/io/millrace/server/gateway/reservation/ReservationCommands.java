package io.millrace.server.gateway.reservation;

import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.PbsCommandSet;
import java.util.Map;

/** The commands of reservations. */
public final class ReservationCommands implements PbsCommandSet {

  @Override
  public Map<String, Command> commands() {
    return Map.ofEntries(
        Map.entry("pbs_rsub", new Rsub()),
        Map.entry("pbs_rstat", new Rstat()),
        Map.entry("pbs_rdel", new Rdel()),
        Map.entry("pbs_ralter", new Ralter()));
  }
}
