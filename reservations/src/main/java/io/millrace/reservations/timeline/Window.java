package io.millrace.reservations.timeline;

/** A stretch of time [from, to); its end belongs to what comes next. */
public record Window(long from, long to) {

  /** After all that will end has ended. */
  public static final Window LAST = new Window(Long.MAX_VALUE - 1, Long.MAX_VALUE);

  /** From a time on for a duration, which may be {@link UsageProfile#FOREVER}. */
  public static Window of(long from, long duration) {
    return new Window(from, UsageProfile.end(from, duration));
  }
}
