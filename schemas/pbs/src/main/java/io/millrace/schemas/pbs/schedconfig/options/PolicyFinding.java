package io.millrace.schemas.pbs.schedconfig.options;

/**
 * What there is to say of a line of a policy's file.
 *
 * @param file name of the text, as the user knows it
 * @param line from 1; 0 when the text as a whole is meant
 * @param reason what is wrong, or worth knowing
 * @param inPbs what OpenPBS does with the line
 * @param wrong false for a note about a line that is accepted
 */
public record PolicyFinding(String file, int line, String reason, String inPbs, boolean wrong) {

  /** Most characters of what is shown, and how many of them are its beginning. */
  private static final int SHOWN = 400;

  private static final int BEGINNING = 250;

  public PolicyFinding {
    reason = shown(reason);
    inPbs = shown(inPbs);
  }

  /** A text in one line, without its middle where a line of a file has made it long. */
  private static String shown(String text) {
    String line = text.replaceAll("\\R", " ");
    return line.length() <= SHOWN
        ? line
        : line.substring(0, BEGINNING) + "..." + line.substring(line.length() - SHOWN + BEGINNING);
  }

  /** In one line: where, what is wrong, and what OpenPBS does with it. */
  public String text() {
    return file
        + (line > 0 ? ":" + line : "")
        + ": "
        + reason
        + (inPbs.isEmpty() ? "" : "; OpenPBS " + inPbs);
  }

  /** A copy that calls the text by another name. */
  public PolicyFinding in(String called) {
    return new PolicyFinding(called, line, reason, inPbs, wrong);
  }
}
