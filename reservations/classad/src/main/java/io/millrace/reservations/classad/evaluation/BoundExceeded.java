package io.millrace.reservations.classad.evaluation;

/** An evaluation that was given up because it needs more than its bounds allow; says which one. */
public final class BoundExceeded extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public BoundExceeded(String message) {
    super(message, null, false, false);
  }
}
