package io.millrace.ops.installation;

import java.io.IOException;

/**
 * Kills all parts of an installation that a word of {@code ./millrace} has started for itself: when
 * the word is done with it, and when the program is ended before that.
 */
public final class KillOnExit implements AutoCloseable {
  private final String word;
  private final Installation installation;
  private final Thread hook = new Thread(this::killAll, "kill-all");

  /**
   * @param word that started it, for what is said when a part cannot be killed
   */
  public KillOnExit(String word, Installation installation) {
    this.word = word;
    this.installation = installation;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  public Installation installation() {
    return installation;
  }

  private void killAll() {
    try {
      installation.killAll();
    } catch (IOException e) {
      System.err.println(word + ": a part could not be killed: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    killAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is being ended, and the hook is at work.
    }
  }
}
