package io.millrace.connectors.bridge.command;

/** Starts commands and waits for their answers. Tests put faults and recordings in its place. */
public interface CommandRunner {

  /** Runs a command to its end or to its bounds; never throws for what the command does. */
  OutsideAnswer run(OutsideCommand command) throws InterruptedException;

  /**
   * Whether a process of an account, or of this program's own user, has a word among its arguments,
   * alone or behind an equals sign: commands can outlive who has started them.
   */
  default boolean isUnderWay(String account, String word) {
    return false;
  }
}
