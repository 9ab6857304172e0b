package io.millrace.connectors.bridge.command;

import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A command as words that another host can be given: {@code env} begins the program, so that it
 * finds no more variables than it would on this host, and says itself where it cannot be begun.
 */
public final class BareProgram {

  private static final String ENV = "/usr/bin/env";

  /** Exit statuses of env for a program that it cannot start, and for one that is not there. */
  private static final int CANNOT = 126;

  private static final int ABSENT = 127;

  private BareProgram() {}

  /** The words, to be passed as they are. */
  public static List<String> words(OutsideCommand command) {
    List<String> words = new ArrayList<>(List.of(ENV, "-i"));
    Map<String, String> environment = new TreeMap<>(command.wholeEnvironment());
    environment.forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(command.words());
    return words;
  }

  /** Why a command cannot go so; empty when it can. */
  public static Optional<String> unfit(OutsideCommand command) {
    // Else it would be taken for a variable, or for an option.
    String program = command.words().get(0);
    return program.startsWith("/") && !program.contains("=")
        ? Optional.empty()
        : Optional.of(program + ": no path of a program");
  }

  /** What an answer means: a program that is not there is known as it is of this host. */
  public static OutsideAnswer understood(OutsideCommand command, OutsideAnswer answer) {
    boolean refused =
        answer.isWhole()
            && (answer.status() == CANNOT || answer.status() == ABSENT)
            && answer.out().isEmpty()
            && answer.err().startsWith(ENV + ": ");
    if (!refused) {
      return answer;
    }
    String line = answer.err().lines().findFirst().orElse("");
    String why = line.substring(line.lastIndexOf(": ") + 2);
    return new OutsideAnswer(
        ProcessEnding.NOT_STARTED, -1, "", command.words().get(0) + ": " + why, answer.took());
  }
}
