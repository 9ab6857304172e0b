package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.Priorities;

/**
 * What a job's place in the order is made of.
 *
 * @param total the priority
 * @param tickets its normalised tickets; all jobs hold equally many
 * @param shares urgency and -p, each as a part of 0..1
 * @param urgency what the urgency is the sum of
 */
record PriorityParts(double total, double tickets, PriorityShares shares, Urgency urgency) {

  /** Normalised urgency and normalised -p. */
  record PriorityShares(double urgency, double posix) {

    static final PriorityShares NONE = new PriorityShares(0, 0);
  }

  /** Parts of the urgency that come from requests, from waiting and from a deadline. */
  record Urgency(double requests, double waiting, double deadline) {

    static final Urgency NONE = new Urgency(0, 0, 0);

    double sum() {
      return requests + waiting + deadline;
    }
  }

  /** Of a job that the scheduler does not look at. */
  static final PriorityParts NONE = new PriorityParts(0, 0, PriorityShares.NONE, Urgency.NONE);

  private static final double EQUAL_TICKETS = 0.5;

  static PriorityParts of(Priorities.PriorityOfJob priority) {
    double requests = priority.absoluteUrgency() - priority.waiting().sum();
    return new PriorityParts(
        priority.total(),
        EQUAL_TICKETS,
        new PriorityShares(priority.urgency(), priority.posix()),
        new Urgency(requests, priority.waiting().time(), priority.waiting().deadline()));
  }

  /** Of a run whose job is not looked at any more: its priority stays as it was. */
  PriorityParts left() {
    return new PriorityParts(total, tickets, PriorityShares.NONE, Urgency.NONE);
  }
}
