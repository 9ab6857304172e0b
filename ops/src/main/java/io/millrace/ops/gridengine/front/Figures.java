package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.schedule.Priorities;

/**
 * What a job's place in the order is made of.
 *
 * @param total the priority
 * @param tickets its normalised tickets; all jobs hold equally many
 * @param shares urgency and -p, each as a part of 0..1
 * @param urgency what the urgency is the sum of
 */
record Figures(double total, double tickets, Shares shares, Urgency urgency) {

  /** Normalised urgency and normalised -p. */
  record Shares(double urgency, double posix) {

    static final Shares NONE = new Shares(0, 0);
  }

  /** Parts of the urgency that come from requests, from waiting and from a deadline. */
  record Urgency(double requests, double waiting, double deadline) {

    static final Urgency NONE = new Urgency(0, 0, 0);

    double sum() {
      return requests + waiting + deadline;
    }
  }

  /** Of a job that the scheduler does not look at. */
  static final Figures NONE = new Figures(0, 0, Shares.NONE, Urgency.NONE);

  private static final double EQUAL_TICKETS = 0.5;

  static Figures of(Priorities.Priority priority) {
    double requests = priority.absoluteUrgency() - priority.waiting().sum();
    return new Figures(
        priority.total(),
        EQUAL_TICKETS,
        new Shares(priority.urgency(), priority.posix()),
        new Urgency(requests, priority.waiting().time(), priority.waiting().deadline()));
  }

  /** Of a run whose job is not looked at any more: its priority stays as it was. */
  Figures left() {
    return new Figures(total, tickets, Shares.NONE, Urgency.NONE);
  }
}
