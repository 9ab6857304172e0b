package io.millrace.schedulers.core.policy;

import io.millrace.schemas.pbs.reasons.ReasonCode;

/** At which times jobs may run, whatever is free. Times in milliseconds since 1970. */
public interface Calendar {

  /**
   * Why a job does not start.
   *
   * @param ofQueue true when no job of its queue does
   * @param untilMs when that ends; -1 when nothing is known
   */
  record CalendarRefusal(ReasonCode code, String subject, boolean ofQueue, long untilMs) {}

  /** Why a job of a queue may not start at a time; null when it may. */
  CalendarRefusal refusal(String queue, long walltimeMs, long atMs);

  /**
   * The first time at which another answer is possible; {@link Long#MAX_VALUE} when there is none.
   *
   * @param afterMs it is later than this
   */
  long nextChangeMs(long afterMs);
}
