package io.millrace.connectors.bridge.system;

import java.util.Optional;

/**
 * How a job has ended.
 *
 * @param status exit status of its script; -1 when there is none
 * @param signal that ended it; 0 for none
 * @param cause why
 * @param words what the outside system says about it
 * @param usage what it has used, where the outside system says that
 */
public record OutsideEnd(
    int status, int signal, OutsideCause cause, String words, Optional<OutsideUsage> usage) {

  public OutsideEnd(int status, int signal, OutsideCause cause, String words) {
    this(status, signal, cause, words, Optional.empty());
  }

  /** An end of which nothing but the cause is known. */
  public static OutsideEnd of(OutsideCause cause, String words) {
    return new OutsideEnd(-1, 0, cause, words);
  }

  public OutsideEnd withUsage(OutsideUsage used) {
    return new OutsideEnd(status, signal, cause, words, Optional.of(used));
  }
}
