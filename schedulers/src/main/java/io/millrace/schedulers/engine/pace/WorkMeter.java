package io.millrace.schedulers.engine.pace;

/** Turns a time budget into units of work, by the speed of earlier cycles. */
public final class WorkMeter {

  private static final long LEAST_UNITS = 1_000;
  private static final long MOST_UNITS = 50_000_000;

  /** Cycles shorter than this are too short to measure the speed. */
  private static final long MEASURED_NANOS = 200_000;

  private static final double WEIGHT = 0.2;

  private double unitsPerNano = 0.005;

  public long units(long budgetNanos) {
    long units = (long) (unitsPerNano * budgetNanos);
    return Math.max(LEAST_UNITS, Math.min(MOST_UNITS, units));
  }

  public void measured(long units, long nanos) {
    if (nanos >= MEASURED_NANOS) {
      unitsPerNano = (1 - WEIGHT) * unitsPerNano + WEIGHT * units / nanos;
    }
  }
}
