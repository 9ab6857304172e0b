package io.millrace.ops.faults.reservations;

import java.util.List;

/**
 * What a client was told in the end.
 *
 * @param name of the reservation; empty when none was made
 * @param told whether it is there
 * @param startMs when it begins then; 0 where that is not known
 * @param words all that was asked and answered
 */
record TransactionAnswer(
    TransactionPlan plan, String name, ClientKnows told, long startMs, List<String> words) {

  /** What the client knows. */
  enum ClientKnows {
    THERE,
    GONE,
    /** Nobody has told: the command may still be carried out. */
    NOTHING
  }

  @Override
  public String toString() {
    return plan.number() + " " + plan.way() + " " + plan.at() + ": " + String.join("; ", words);
  }
}
