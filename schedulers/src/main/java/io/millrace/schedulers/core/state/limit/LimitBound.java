package io.millrace.schedulers.core.state.limit;

import io.millrace.schedulers.core.model.LimitRules;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schemas.pbs.reasons.LimitSubject;
import io.millrace.schemas.pbs.reasons.ReasonCode;

/**
 * A limit as it holds for the jobs of a class.
 *
 * @param total that may be in use
 * @param need of one job
 */
public record LimitBound(
    LimitRules.Rule rule, String queue, LimitMeter meter, long total, long need) {

  /** What of it may be in use here: others may have the rest. */
  public long amount() {
    return Math.min(total, meter.lease());
  }

  /** What a job needs of the limit when it runs with another number of chunks than it asked for. */
  public long needOf(int chunks, int asked) {
    return chunks == asked || rule.resource().isEmpty() ? need : need / asked * chunks;
  }

  /** True when one more job would exceed the limit, what is promised included. */
  public boolean reached(long promised) {
    return meter.used() + promised + need > amount();
  }

  /** The same as if others had none of it. */
  boolean reachedAlone(long promised) {
    return meter.used() + promised + need > total;
  }

  public Shortage shortage() {
    ReasonCode code = rule.resource().isEmpty() ? ReasonCode.RUN_LIMIT : ReasonCode.RESOURCE_LIMIT;
    LimitSubject subject = new LimitSubject(rule.attribute(), rule.entry(), queue);
    long free = Math.max(0, amount() - meter.used());
    return new Shortage(
        code,
        subject.toString(),
        new Shortage.ShortageAmounts(need, free, total),
        Shortage.Watch.CHANGE,
        Shortage.UNKNOWN);
  }
}
