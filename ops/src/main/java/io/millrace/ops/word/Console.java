package io.millrace.ops.word;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * Output of the launcher: plain lines, and on a terminal a temporary line while something takes
 * time.
 */
public final class Console {

  private static final String ERASE = "\r\u001b[K";

  private final PrintStream out;
  private final boolean terminal;
  private boolean passing;
  private int drawn;

  /**
   * @param terminal whether lines can be written over
   */
  public Console(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  public boolean isTerminal() {
    return terminal;
  }

  /** False once nobody reads what is said, as behind {@code | head}. */
  public synchronized boolean isHeard() {
    return !out.checkError();
  }

  public synchronized void say(String line) {
    erase();
    drawn = 0;
    out.println(line);
  }

  /** Shows lines over those that were drawn before; does nothing without a terminal. */
  public synchronized void draw(List<String> lines) {
    if (terminal) {
      erase();
      if (drawn > 0) {
        out.print("\u001b[" + drawn + "A");
      }
      lines.forEach(line -> out.println(ERASE + line));
      out.flush();
      drawn = lines.size();
    }
  }

  /** Shows a temporary line until the next line; does nothing without a terminal. */
  public synchronized void busy(String line) {
    if (terminal) {
      erase();
      out.print(line + " ...");
      out.flush();
      passing = true;
    }
  }

  private void erase() {
    if (passing) {
      out.print(ERASE);
      passing = false;
    }
  }

  /** "(1.2 s)" for the time since a value of System.nanoTime. */
  public String since(long nanos) {
    return String.format(Locale.ROOT, "(%.1f s)", (System.nanoTime() - nanos) / 1e9);
  }
}
