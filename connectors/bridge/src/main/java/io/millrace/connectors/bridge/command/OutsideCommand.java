package io.millrace.connectors.bridge.command;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A command to be started.
 *
 * @param words program and arguments, each passed as it is
 * @param input bytes of standard input
 * @param environment all that the command finds around it, but for PATH and LC_ALL
 * @param limit after this time it is ended
 * @param outputMost bytes that it may print on each of its outputs
 */
public record OutsideCommand(
    List<String> words,
    byte[] input,
    Map<String, String> environment,
    Duration limit,
    int outputMost) {

  public OutsideCommand {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
    for (String word : words) {
      if (word.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("a word with a NUL in it");
      }
    }
  }

  /** Name of the program without its folder. */
  public String program() {
    String first = words.get(0);
    return first.substring(first.lastIndexOf('/') + 1);
  }
}
