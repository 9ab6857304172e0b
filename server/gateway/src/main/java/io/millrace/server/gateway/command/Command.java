package io.millrace.server.gateway.command;

import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.util.Optional;

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

  /** The syntax of the command; one without it answers {@code --help} itself. */
  default Optional<Syntax> syntax() {
    return Optional.empty();
  }

  /** A command without state, made of its syntax and a function. */
  static Command of(Syntax how, Command function) {
    return new FunctionCommand(how, function);
  }

  /** The name in messages; a command that is called by another one uses that one's name. */
  default String spokenName(String word) {
    return word;
  }

  /**
   * Whether it may wait for hours, and is continued by its client when the gateway is restarted.
   */
  default boolean lasting() {
    return false;
  }

  /** Whether it changes something, so that it can be repeated under the id of its call. */
  default boolean changes() {
    return true;
  }

  /** What is said when nothing of it was carried out. */
  default String undone() {
    return "not carried out";
  }

  /** Exit status when the cluster cannot be reached; PBS's commands differ. */
  default int unreachableStatus() {
    return Failure.CONNECTION_REFUSED;
  }
}
