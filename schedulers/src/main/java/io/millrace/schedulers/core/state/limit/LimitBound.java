package io.millrace.schedulers.core.state.limit;

import io.millrace.schedulers.core.model.LimitRules;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schemas.pbs.reasons.LimitSubject;
import io.millrace.schemas.pbs.reasons.ReasonCode;

/**
 * A limit as it holds for the jobs of a class.
 *
 * @param amount that may be in use
 * @param need of one job
 * @param total what there is, where {@code amount} is this scheduler's part of it
 */
public record LimitBound(
    LimitRules.Rule rule, String queue, LimitMeter meter, long amount, long need, long total) {

  /** What a job needs of the limit when it runs with another number of chunks than it asked for. */
  public long needOf(int chunks, int asked) {
    return chunks == asked || rule.resource().isEmpty() ? need : need / asked * chunks;
  }

  /** True when one more job would exceed the limit, what is promised included. */
  public boolean reached(long promised) {
    return meter.used() + promised + need > amount;
  }

  public Shortage shortage() {
    ReasonCode code = rule.resource().isEmpty() ? ReasonCode.RUN_LIMIT : ReasonCode.RESOURCE_LIMIT;
    LimitSubject subject = new LimitSubject(rule.attribute(), rule.entry(), queue);
    long free = Math.max(0, amount - meter.used());
    return new Shortage(
        code,
        subject.toString(),
        new Shortage.ShortageAmounts(need, free, total),
        Shortage.Watch.CHANGE,
        Shortage.UNKNOWN);
  }
}
