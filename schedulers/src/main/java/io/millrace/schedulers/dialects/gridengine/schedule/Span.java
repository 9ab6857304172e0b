package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.options.Numbers;

/** A stretch of time in seconds since 1970; its end belongs to whatever comes next. */
record Span(long from, long to) {

  /** After all jobs have ended that will end. */
  static final Span AT_THE_END = new Span(Numbers.UNLIMITED_S, Numbers.UNLIMITED_S);

  static Span of(long from, long duration) {
    return new Span(from, Math.min(from + duration, Numbers.UNLIMITED_S));
  }

  /** The largest use within the span. */
  double used(Usage usage) {
    return this == AT_THE_END ? usage.atTheEnd() : usage.maximum(from, to);
  }
}
