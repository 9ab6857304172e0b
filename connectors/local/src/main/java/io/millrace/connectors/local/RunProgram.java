package io.millrace.connectors.local;

import java.util.List;

/** What a run executes. */
public sealed interface RunProgram {
  /**
   * A script, handed to a shell as its first argument.
   *
   * @param text the script's bytes
   * @param shell absolute path of the shell; empty for the user's login shell
   * @param arguments what the script is called with
   */
  record Script(byte[] text, String shell, List<String> arguments) implements RunProgram {
    public Script {
      arguments = List.copyOf(arguments);
    }

    /** A script that is called without arguments. */
    public Script(byte[] text, String shell) {
      this(text, shell, List.of());
    }
  }

  /**
   * A command with its arguments, executed directly; the first word is looked up in the job's PATH.
   *
   * @param words at least one
   */
  record Command(List<String> words) implements RunProgram {
    public Command {
      words = List.copyOf(words);
      if (words.isEmpty()) {
        throw new IllegalArgumentException("a command needs at least one word");
      }
    }
  }
}
