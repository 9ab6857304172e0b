package io.millrace.connectors.bridge.command;

import io.millrace.connectors.bridge.files.OutsideFiles;
import java.util.Optional;

/**
 * Starts commands on the host where those of a cluster are, and waits for their answers. Tests put
 * faults and recordings in its place.
 */
public interface CommandRunner {

  /** Runs a command to its end or to its bounds; never throws for what the command does. */
  OutsideAnswer run(OutsideCommand command) throws InterruptedException;

  /**
   * Whether a process of an account, or of this program's own user, has a word among its arguments,
   * alone or behind an equals sign: commands can outlive who has started them. Also true where
   * nobody can say.
   */
  default boolean isUnderWay(String account, String word) {
    return false;
  }

  /** Why nobody can say what is under way; empty where the processes of all accounts are seen. */
  default Optional<String> unseen() throws InterruptedException {
    return Optional.empty();
  }

  /** Files of the host on which its commands run. */
  default OutsideFiles files() {
    return OutsideFiles.here();
  }

  /**
   * Starts a command that goes on, and is started again when it ends, until this is closed. It is
   * started once, however many follow it.
   *
   * @return what it prints from now on; empty where none can be followed, as on another host
   */
  default Optional<FollowedLines> follow(OutsideCommand command) {
    return Optional.empty();
  }

  /** Gives up what it holds, as a connection. */
  default void close() {}
}
