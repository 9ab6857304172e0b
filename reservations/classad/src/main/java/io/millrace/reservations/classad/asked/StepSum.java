package io.millrace.reservations.classad.asked;

import io.millrace.reservations.classad.evaluation.BoundExceeded;

/**
 * What the questions of one reservation have needed together. A single question has its own bound,
 * but a reservation asks one for each node of each of its occurrences. Meant for one thread.
 */
public final class StepSum {

  /** Steps for all questions of one reservation: some half second of work. */
  public static final long MOST = 10_000_000;

  /** How many reservations that are looked through cost as much as one expression. */
  private static final int RESERVATIONS_A_STEP = 16;

  private final long most;
  private long used;

  public StepSum() {
    this(MOST);
  }

  /**
   * @param most steps that may be used
   */
  public StepSum(long most) {
    this.most = most;
  }

  public long used() {
    return used;
  }

  /** Nothing is left: what is asked now is refused. */
  public boolean spent() {
    return used >= most;
  }

  /** Why no more questions are answered. */
  public String reason() {
    return "PLUS_NODE_RESERVABLE was given up: all nodes of the reservation together need more than "
        + most
        + " steps";
  }

  /**
   * Reservations are looked through for what somebody has used.
   *
   * @throws BoundExceeded when nothing is left
   */
  public void looked(int reservations) {
    add(1 + reservations / RESERVATIONS_A_STEP);
    if (spent()) {
      throw new BoundExceeded(reason());
    }
  }

  void add(long steps) {
    used += steps;
  }

  long left() {
    return Math.max(0, most - used);
  }
}
