package io.millrace.ops.broker;

import com.yammer.metrics.core.MetricsRegistry;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Keeps the broker's meters from being wound. Each of some 250 computes three averages every five
 * seconds, for nobody: they are shown nowhere. Counts and histograms go on without it.
 */
final class QuietMeters {

  /** Names of the registry's own pool, which it keeps to itself; it takes what is there. */
  private static final String POOL = "meter-tick";

  private static final int THREADS = 2;

  private QuietMeters() {}

  /** To be called before there is a meter. */
  static void in(MetricsRegistry registry) {
    if (registry.newScheduledThreadPool(THREADS, POOL)
        instanceof ScheduledThreadPoolExecutor pool) {
      // A pool that gets no thread keeps its tasks and runs none.
      pool.setThreadFactory(task -> null);
      pool.setRemoveOnCancelPolicy(true);
    }
  }
}
