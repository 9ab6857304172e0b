package io.millrace.connectors.bridge.system;

import java.util.Map;

/** What became of a submission, as far as the outside system's answer tells. */
public sealed interface Submitted {

  /** It was taken, under this id. */
  record Accepted(OutsideId id) implements Submitted {}

  /** Some were taken together, each under an id of its own. */
  record AcceptedTogether(Map<OutsideTag, OutsideId> ids) implements Submitted {}

  /** The outside system has looked at it and does not want it; nothing is there. */
  record SubmissionRefused(String words) implements Submitted {}

  /** The outside system has looked at it, and what it needs is not there yet; it is not taken. */
  record NotYet(String why) implements Submitted {}

  /**
   * It may have been taken or not. Only a look for its tag tells.
   *
   * @param full whether the command was trying again because the system takes no more jobs for now
   */
  record SubmissionUnclear(String why, boolean full) implements Submitted {
    public SubmissionUnclear(String why) {
      this(why, false);
    }
  }

  /**
   * It cannot have been taken, for a reason that is of this account alone: nothing is carried out
   * in its name, and of the system and of other accounts this says nothing.
   */
  record AccountRefused(String why) implements Submitted {}

  /**
   * It is not taken, because there are as many jobs, of its account or of all, as there may be; as
   * these end it will be.
   */
  record LimitReached(String why) implements Submitted {}

  /** It cannot have been taken: the command was never started. */
  record NotSent(String why) implements Submitted {}
}
