package io.millrace.connectors.bridge.command;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command to be started.
 *
 * @param words program and arguments, each passed as it is
 * @param input bytes of standard input
 * @param environment all that the command finds around it, but for PATH and LC_ALL
 * @param limit after this time it is ended
 * @param outputMost bytes that it may print; of complaints at most {@link #COMPLAINT_MOST}
 * @param account in whose name who starts it does so; empty for his own
 */
public record OutsideCommand(
    List<String> words,
    byte[] input,
    Map<String, String> environment,
    Duration limit,
    int outputMost,
    Optional<String> account) {

  /** Bytes that are read of its complaints. */
  public static final int COMPLAINT_MOST = 1 << 20;

  private static final String PATH = "/usr/bin:/bin:/usr/sbin:/sbin";

  public OutsideCommand {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
    for (String word : words) {
      if (word.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("a word with a NUL in it");
      }
    }
  }

  /** One in the name of whoever starts it. */
  public OutsideCommand(
      List<String> words,
      byte[] input,
      Map<String, String> environment,
      Duration limit,
      int outputMost) {
    this(words, input, environment, limit, outputMost, Optional.empty());
  }

  /** All that the command finds around it. */
  public Map<String, String> wholeEnvironment() {
    Map<String, String> whole = new HashMap<>(Map.of("PATH", PATH, "LC_ALL", "C.UTF-8"));
    whole.putAll(environment);
    return whole;
  }

  /**
   * The same, where nobody can start it in the name of another.
   *
   * @throws IllegalArgumentException when it is to be: as anybody else it must not begin
   */
  public OutsideCommand requireOwn() {
    if (account.isPresent()) {
      throw new IllegalArgumentException(program() + " is to be started as " + account.get());
    }
    return this;
  }

  /** Name of the program without its folder. */
  public String program() {
    String first = words.get(0);
    return first.substring(first.lastIndexOf('/') + 1);
  }
}
