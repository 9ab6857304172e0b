package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.gridengine.language.options.Numbers;

/** A stretch of time in seconds since 1970; its end belongs to whatever comes next. */
public record TimeSpan(long from, long to) {

  /** After all jobs have ended that will end. */
  public static final TimeSpan AT_THE_END = new TimeSpan(Long.MAX_VALUE - 1, Long.MAX_VALUE);

  public static TimeSpan of(long from, long duration) {
    return new TimeSpan(from, Math.min(from + duration, Numbers.UNLIMITED_S));
  }
}
