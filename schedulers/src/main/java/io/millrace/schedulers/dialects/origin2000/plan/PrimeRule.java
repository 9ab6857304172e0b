package io.millrace.schedulers.dialects.origin2000.plan;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_SMALL_NODE_LIMIT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_SMALL_WALLT_LIMIT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_WALLT_LIMIT;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginPrimeTime;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import java.util.Optional;

/** How much of a job may lie in prime time. */
public final class PrimeRule {

  private final OriginConfig config;
  private final OriginPrimeTime prime;

  public PrimeRule(OriginConfig config, OriginPrimeTime prime) {
    this.config = config;
    this.prime = prime;
  }

  /** Why a job may not start at a time; empty when it may. */
  public Optional<String> refusal(long time, long nodes, long walltimeS) {
    long small = config.number(PRIME_TIME_SMALL_NODE_LIMIT);
    long limit =
        config.number(
            small > 0 && nodes <= small ? PRIME_TIME_SMALL_WALLT_LIMIT : PRIME_TIME_WALLT_LIMIT);
    return prime.between(time, time + walltimeS, limit) > limit
        ? Optional.of("Exceeds primetime walltime limit (" + OriginType.clock(limit) + ")")
        : Optional.empty();
  }
}
