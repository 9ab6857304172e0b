package io.millrace.server.gateway.command;

import java.util.Map;

/**
 * Commands that come from outside this module, found by {@link java.util.ServiceLoader}: those that
 * need what the gateway may not know.
 */
public interface CommandSet {

  /** By the name under which clients call them, for example {@code sge/qsub}. */
  Map<String, Command> commands();
}
