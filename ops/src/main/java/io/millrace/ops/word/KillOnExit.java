package io.millrace.ops.word;

import java.io.IOException;

/**
 * Kills all parts of an installation that a word of {@code ./millrace} has started for itself: when
 * the word is done with it, and when the program is ended before that.
 */
public final class KillOnExit implements AutoCloseable {

  /** Kills all parts, for good. */
  public interface PartsKiller {
    void killAll() throws IOException;
  }

  private final String word;
  private final PartsKiller parts;
  private final Thread hook = new Thread(this::killAll, "kill-all");

  /**
   * @param word that started them, for what is said when one cannot be killed
   */
  public KillOnExit(String word, PartsKiller parts) {
    this.word = word;
    this.parts = parts;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void killAll() {
    try {
      parts.killAll();
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
