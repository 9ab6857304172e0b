package io.millrace.server.terminal;

import io.millrace.server.client.CommandQuery;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/**
 * Asks the command itself, called with {@code --complete LINE}, what the last word of the line may
 * become: the gateway knows the objects that exist.
 */
final class GatewayCompleter implements Completer {
  private final String command;
  private final Supplier<String> before;

  /**
   * @param before what the lines before this one have of the directive
   */
  GatewayCompleter(String command, Supplier<String> before) {
    this.command = command;
    this.before = before;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    String directive = before.get() + line.line().substring(0, line.cursor());
    try {
      CommandQuery.ask(command, "--complete", directive)
          .lines()
          .forEach(word -> candidates.add(candidate(word)));
    } catch (IOException e) {
      // Nothing to offer: the directive itself will tell that the gateway is away.
      candidates.clear();
    }
  }

  /** Behind a name that goes on, as "resources_max.", there is no blank. */
  private static Candidate candidate(String word) {
    return new Candidate(word, word, null, null, null, null, !word.endsWith("."));
  }
}
