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
