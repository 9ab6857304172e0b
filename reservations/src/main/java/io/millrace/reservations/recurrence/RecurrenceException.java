package io.millrace.reservations.recurrence;

/** A rule by which nothing can be reserved. */
public final class RecurrenceException extends Exception {
  private static final long serialVersionUID = 1L;

  private final RecurrenceFault fault;

  public RecurrenceException(RecurrenceFault fault) {
    super(fault.name());
    this.fault = fault;
  }

  public RecurrenceFault fault() {
    return fault;
  }
}
