package io.millrace.server.gateway.query;

import io.millrace.schemas.state.Job;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job whose progress a command waits for by querying it from time to time. One query that finds
 * nothing is no proof: the job may be new, or in transit between shards.
 */
public final class AwaitedJob {
  private static final Logger LOG = LoggerFactory.getLogger(AwaitedJob.class);

  /** A job that was not found for this time is gone. */
  public static final long GONE_AFTER_MS = 2000;

  private final Queries queries;
  private final long number;
  private final LongSupplier nanoTime;
  private long missedSince;
  private boolean missed;
  private boolean gone;
  private boolean failed;

  public AwaitedJob(Queries queries, long number) {
    this(queries, number, System::nanoTime);
  }

  /** With a clock in nanoseconds, for tests. */
  public AwaitedJob(Queries queries, long number, LongSupplier nanoTime) {
    this.queries = queries;
    this.number = number;
    this.nanoTime = nanoTime;
  }

  /** The job as it is now; empty when it was not found, or no shard answered. */
  public Optional<Job> look() throws InterruptedException {
    Optional<Job> job;
    try {
      job = queries.job(number);
    } catch (QueryException e) {
      if (!failed) {
        LOG.warn(
            "job {}, for which a client waits, cannot be looked at: {}", number, e.getMessage());
      }
      failed = true;
      return Optional.empty();
    }
    failed = false;
    long now = nanoTime.getAsLong();
    if (job.isPresent() || !missed) {
      missedSince = now;
    }
    missed = job.isEmpty();
    gone = missed && now - missedSince >= TimeUnit.MILLISECONDS.toNanos(GONE_AFTER_MS);
    return job;
  }

  /** Whether the last look had no answer. */
  public boolean unknown() {
    return failed;
  }

  /** Whether looks, some time apart, have found nothing. */
  public boolean gone() {
    return gone;
  }
}
