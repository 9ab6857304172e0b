package io.millrace.reservations.timeline;

/** A time span [from, to); the end is exclusive. */
public record Window(long from, long to) {

  /** The window after all known ends. */
  public static final Window LAST = new Window(Long.MAX_VALUE - 1, Long.MAX_VALUE);

  /** A window from a time on for a duration, which may be {@link UsageProfile#FOREVER}. */
  public static Window of(long from, long duration) {
    return new Window(from, UsageProfile.end(from, duration));
  }
}
