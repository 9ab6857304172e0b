package io.millrace.connectors.bridge.run;

/** Where a run is on its way through an outside system. */
public enum OutsideRunState {
  /** It is to be submitted. */
  ORDERED,
  /** It may have been submitted; which id it has is not known. */
  ABOUT_TO_SUBMIT,
  /** The outside system has given it an id. */
  SUBMITTED,
  WAITING,
  RUNNING,
  SUSPENDED,
  ENDING,
  /** The outside system does not speak of it, and nothing shows that it is over. */
  NOT_HEARD_OF,
  ENDED;

  /** Whether it has an id and is not over. */
  public boolean isOutside() {
    return this != ORDERED && this != ABOUT_TO_SUBMIT && this != ENDED;
  }

  /** Whether it takes one of the places for jobs that wait outside. */
  public boolean isWaitingOutside() {
    return this == ABOUT_TO_SUBMIT || this == SUBMITTED || this == WAITING;
  }
}
