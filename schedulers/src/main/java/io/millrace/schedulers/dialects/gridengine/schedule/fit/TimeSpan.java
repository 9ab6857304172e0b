package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.gridengine.language.options.Numbers;

/** A time span in seconds since 1970; the end is exclusive. */
public record TimeSpan(long from, long to) {

  /** The span after the end of all jobs with known ends. */
  public static final TimeSpan AT_THE_END = new TimeSpan(Long.MAX_VALUE - 1, Long.MAX_VALUE);

  public static TimeSpan of(long from, long duration) {
    return new TimeSpan(from, Math.min(from + duration, Numbers.UNLIMITED_S));
  }
}
