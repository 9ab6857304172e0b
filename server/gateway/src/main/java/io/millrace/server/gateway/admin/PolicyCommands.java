package io.millrace.server.gateway.admin;

import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.CommandSet;
import io.millrace.server.gateway.help.Page;
import java.util.Map;

/** What {@code ./millrace policy} calls; people call that, so that these have no pages. */
public final class PolicyCommands implements CommandSet {

  @Override
  public Map<String, Command> commands() {
    return Map.of(
        "sched-config-load",
        new SchedConfigLoad(),
        "reservable-load",
        new ReservableLoad(),
        "origin2000-load",
        new OriginPolicyLoad());
  }

  @Override
  public Map<String, Page> pages() {
    return Map.of();
  }
}
