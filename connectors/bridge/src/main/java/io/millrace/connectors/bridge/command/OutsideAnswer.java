package io.millrace.connectors.bridge.command;

import java.time.Duration;

/**
 * What is known of a command that was started.
 *
 * @param ending how it came to an end, as far as we saw
 * @param status exit status; of no meaning unless the answer is whole
 * @param text what it printed
 * @param err what it printed to standard error; the reason when it was not started
 * @param took from start to end
 */
public record OutsideAnswer(
    ProcessEnding ending, int status, OutsideText text, String err, Duration took) {

  private static final int SAID_MOST = 16 * 1024;

  /** How a command came to an end. */
  public enum ProcessEnding {
    /** It ended by itself, and all of its output is there. */
    EXITED,
    /** It was ended at its time limit; what it asked for may have been carried out. */
    TIMED_OUT,
    /** Its output broke off. */
    CUT,
    /** It printed more than the bound, and was ended. */
    TOO_LONG,
    /** It could not be started: nothing was carried out. */
    NOT_STARTED
  }

  /**
   * The same of an answer that is short.
   *
   * @param out what it printed
   */
  public OutsideAnswer(ProcessEnding ending, int status, String out, String err, Duration took) {
    this(ending, status, OutsideText.of(out), err, took);
  }

  /**
   * That a command was never started.
   *
   * @param begin of the attempt, by the machine's own clock
   */
  public static OutsideAnswer notStarted(String why, long begin) {
    return new OutsideAnswer(ProcessEnding.NOT_STARTED, -1, "", why, took(begin));
  }

  /** The time since a moment of the machine's own clock. */
  public static Duration took(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /** What it printed, in one; of a whole queue {@link #text} is read in place of that. */
  public String out() {
    return text.toString();
  }

  public boolean isWhole() {
    return ending == ProcessEnding.EXITED;
  }

  /** Whole, and the command says that it went well. */
  public boolean isGood() {
    return isWhole() && status == 0;
  }

  /** What it printed, on both outputs, as far as anybody would read it. */
  public String said() {
    return (text.head(SAID_MOST) + head(err)).strip();
  }

  /** What it printed to standard error, as far as anybody would read it. */
  public String complaint() {
    return head(err);
  }

  private static String head(String text) {
    return text.length() <= SAID_MOST ? text : text.substring(0, SAID_MOST);
  }

  /** One line on what went wrong. */
  public String trouble() {
    return switch (ending) {
      case TIMED_OUT -> "no answer within " + took.toSeconds() + " s";
      case CUT -> "the answer was cut off";
      case TOO_LONG ->
          "it printed more than is kept: 1 MiB of an order in an account's name, of all else what"
              + " 'output_most_mib' says, and, packed, the "
              + (KeptOutput.heapMost() >> 20)
              + " MiB that are an eighth of this process's heap";
      case NOT_STARTED -> firstLine(err);
      case EXITED -> {
        String said = firstLine(err.isBlank() ? text.head(SAID_MOST) : err);
        yield said.isEmpty() ? "exit status " + status : said;
      }
    };
  }

  private static String firstLine(String text) {
    String line = text.strip().lines().findFirst().orElse("").strip();
    StringBuilder clean = new StringBuilder();
    line.codePoints()
        .limit(300)
        .map(it -> Character.isISOControl(it) ? '?' : it)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }
}
