package io.millrace.server.gateway.command;

import io.millrace.server.gateway.help.Page;
import java.util.Map;

/**
 * The commands of one subject, found by {@link java.util.ServiceLoader}: nobody but their package
 * knows them. Those that need what the gateway may not know come from other modules.
 */
public interface CommandSet {

  /** By the name under which clients call them, for example {@code qsub} or {@code sge/qsub}. */
  Map<String, Command> commands();

  /** What they tell of themselves after {@code --help}, by the same names. */
  default Map<String, Page> pages() {
    return Map.of();
  }
}
