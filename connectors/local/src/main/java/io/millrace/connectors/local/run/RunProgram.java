package io.millrace.connectors.local.run;

import java.util.List;

/** What a run executes. */
public sealed interface RunProgram {
  /**
   * A script.
   *
   * @param text the script's bytes
   * @param shell absolute path of the shell; empty for the user's login shell
   * @param arguments what the script is called with; none with a login
   * @param login whether, where the host's site wants it, a login shell reads its profile and then
   *     executes the script; otherwise the shell is called with the script as its first argument
   */
  record Script(byte[] text, String shell, List<String> arguments, boolean login)
      implements RunProgram {
    public Script {
      arguments = List.copyOf(arguments);
    }

    /** A script as PBS runs it, without words behind it. */
    public Script(byte[] text, String shell) {
      this(text, shell, List.of(), true);
    }
  }

  /**
   * A task of a run that has its script elsewhere, or here as well; executed like a command.
   *
   * @param words at least one
   * @param place becomes PBS_NODENUM: the line of the node file that the task is for, from 0
   * @param awaited whether somebody waits for what it prints; otherwise it is delivered
   */
  record TaskProgram(List<String> words, int place, boolean awaited) implements RunProgram {
    public TaskProgram {
      words = List.copyOf(words);
      if (words.isEmpty()) {
        throw new IllegalArgumentException("a task needs at least one word");
      }
    }
  }

  /**
   * A login shell at a terminal, for an interactive job.
   *
   * @param socket where qsub listens for the run
   * @param shell absolute path of the shell; empty for the user's login shell
   */
  record Terminal(String socket, String shell) implements RunProgram {}

  /**
   * A command with its arguments, executed directly; the first word is looked up in the job's PATH.
   *
   * @param words at least one
   */
  record CommandProgram(List<String> words) implements RunProgram {
    public CommandProgram {
      words = List.copyOf(words);
      if (words.isEmpty()) {
        throw new IllegalArgumentException("a command needs at least one word");
      }
    }
  }
}
