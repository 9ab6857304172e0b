package io.millrace.server.gateway.command;

import io.millrace.server.gateway.help.Page;
import java.util.Map;

/**
 * Commands that come from outside this module, found by {@link java.util.ServiceLoader}: those that
 * need what the gateway may not know.
 */
public interface CommandSet {

  /** By the name under which clients call them, for example {@code sge/qsub}. */
  Map<String, Command> commands();

  /** What they tell of themselves after {@code --help}, by the same names. */
  default Map<String, Page> pages() {
    return Map.of();
  }
}
