package io.millrace.connectors.bridge.system;

/**
 * How a job has ended.
 *
 * @param status exit status of its script; -1 when there is none
 * @param signal that ended it; 0 for none
 * @param cause why
 * @param words what the outside system says about it
 */
public record OutsideEnd(int status, int signal, OutsideCause cause, String words) {

  /** An end of which nothing but the cause is known. */
  public static OutsideEnd of(OutsideCause cause, String words) {
    return new OutsideEnd(-1, 0, cause, words);
  }
}
