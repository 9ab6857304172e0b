package io.millrace.server.gateway.command;

import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;

/** One command of the command line. Stateless. */
public interface Command {

  /**
   * Carries out an invocation.
   *
   * @return exit status
   * @throws Failure for an end with a message
   * @throws LinkException when a shard could not be reached or did not answer
   * @throws QueryException when a question was not answered
   */
  int run(Call call)
      throws Failure, LinkException, QueryException, IOException, InterruptedException;

  /** What it calls itself in messages; a command behind another one speaks in that one's name. */
  default String spokenName(String word) {
    return word;
  }

  /** Exit status when the cluster cannot be reached; PBS's commands differ. */
  default int unreachableStatus() {
    return Commands.CONNECTION_REFUSED;
  }
}
