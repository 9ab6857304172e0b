package io.millrace.ops.faults.reservations;

/** What can be wrong with reservations. */
enum ReservationFinding {
  HELD("held"),
  DOUBLE_BOOKED("double_booked"),
  HALF("half"),
  UNTRUE("untrue_answers"),
  RAN_OVER("ran_over"),
  /** The client gave up before anybody had told it what it has done. */
  UNTOLD("untold"),
  /** So little has come about that the other findings mean nothing. */
  TOO_FEW("too_few");

  private final String count;

  ReservationFinding(String count) {
    this.count = count;
  }

  /** The name of its number in the line of JSON. */
  String count() {
    return count;
  }

  String says(String what) {
    return count.replace('_', ' ') + ": " + what;
  }
}
