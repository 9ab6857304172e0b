package io.millrace.connectors.bridge.command;

/** Starts commands and waits for their answers. Tests put faults and recordings in its place. */
public interface CommandRunner {

  /** Runs a command to its end or to its bounds; never throws for what the command does. */
  OutsideAnswer run(OutsideCommand command) throws InterruptedException;
}
