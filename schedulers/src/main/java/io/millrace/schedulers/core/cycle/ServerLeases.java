package io.millrace.schedulers.core.cycle;

import io.millrace.schemas.fact.LimitGranted;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * What other schedulers leave of the server's resources. A shard that may start no more says so
 * with a fact; then jobs that need the resource wait as at any other limit. Nobody tells when
 * others give some back, so after a while a few of them are tried again, which makes the shard ask;
 * where none waits in the core's books, as under another dialect, all of them may be.
 */
public final class ServerLeases {
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What is not told by then, because a shard is away, may not be told for long. */
  private static final long OVERDUE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Consumer<Consumer<SchedulerInputs>> states;
  private boolean exhausted;
  private long againNanos;

  /** Since when starts have been refused without a word about leases. */
  private long refusedNanos;

  private boolean refused;

  /**
   * @param states calls its argument for the inputs of each state of the scheduler
   */
  public ServerLeases(Consumer<Consumer<SchedulerInputs>> states) {
    this.states = states;
  }

  /** Follows one fact of the shard. */
  public void heard(SpecificRecord fact, long nowNanos) {
    String resource = resource(fact);
    if (resource != null && fact instanceof LimitGranted grant) {
      refused = false;
      if (grant.getExhausted()) {
        exhausted = true;
        againNanos = nowNanos + AGAIN_NANOS;
        states.accept(inputs -> inputs.leased(resource, grant.getLeft()));
      } else {
        end();
      }
    }
  }

  /** The resource of the server of which a fact tells that some was leased; null for none. */
  public static String resource(SpecificRecord fact) {
    return fact instanceof LimitGranted grant && grant.getLimit().endsWith(LimitEntry.OF_RUNS)
        ? grant.getLimit().substring(0, grant.getLimit().length() - LimitEntry.OF_RUNS.length())
        : null;
  }

  /**
   * A start was refused for want of a lease.
   *
   * @return whether the shard should have told of leases by now
   */
  public boolean overdue(long nowNanos) {
    if (!refused) {
      refused = true;
      refusedNanos = nowNanos;
    }
    return nowNanos - refusedNanos >= OVERDUE_NANOS;
  }

  /** Called as time passes. */
  public void timers(long nowNanos) {
    if (exhausted && nowNanos - againNanos >= 0) {
      againNanos = nowNanos + AGAIN_NANOS;
      boolean[] any = {false};
      states.accept(inputs -> any[0] |= inputs.tryBeyondLeases());
      if (!any[0]) {
        end();
      }
    }
  }

  /** Nanoseconds until there is something to do; {@code otherwise} when there is nothing. */
  public long nanosToTimer(long nowNanos, long otherwise) {
    return exhausted ? Math.min(otherwise, Math.max(0, againNanos - nowNanos)) : otherwise;
  }

  private void end() {
    exhausted = false;
    states.accept(SchedulerInputs::endLeases);
  }
}
