package io.millrace.server.gateway.command;

import io.millrace.server.gateway.help.Page;
import java.util.Map;

/**
 * The commands of one subject, found by {@link java.util.ServiceLoader}. Commands that need classes
 * which the gateway may not import come from other modules.
 */
public interface CommandSet {

  /**
   * Commands by the name under which clients call them, for example {@code qsub} or {@code
   * sge/qsub}.
   */
  Map<String, Command> commands();

  /** Help pages, by the same names. */
  default Map<String, Page> pages() {
    return Map.of();
  }
}
