package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.options.Numbers;

/** A stretch of time in seconds since 1970; its end belongs to whatever comes next. */
record Span(long from, long to) {

  /** After all jobs have ended that will end. */
  static final Span AT_THE_END = new Span(Long.MAX_VALUE - 1, Long.MAX_VALUE);

  static Span of(long from, long duration) {
    return new Span(from, Math.min(from + duration, Numbers.UNLIMITED_S));
  }
}
