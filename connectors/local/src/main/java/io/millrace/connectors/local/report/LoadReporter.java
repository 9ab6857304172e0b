package io.millrace.connectors.local.report;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.Topics;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the host's load once in a while, and reports it when it differs noticeably from what was
 * reported before: each report becomes a fact in the ledger.
 */
public final class LoadReporter implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LoadReporter.class);

  /** As often as a Grid Engine's hosts report. */
  private static final long INTERVAL_S = 40;

  private static final long FIRST_S = 10;

  /** Where the host's load is read. */
  public interface LoadSource {
    Map<String, Long> read() throws IOException;

    /** How often it is worth a look, in seconds. */
    default long intervalS() {
      return INTERVAL_S;
    }
  }

  private final LoadSource source;
  private final Reports.Self self;
  private final Reports reports;
  private final ReportSender sender;
  private final ScheduledExecutorService clock;
  private ScheduledFuture<?> looks;
  private volatile boolean again;
  private Map<String, Long> reported = Map.of();

  /**
   * @param self the executor; its host's amounts are part of each report
   * @param clock has it look from time to time, perhaps beside others
   */
  public LoadReporter(
      LoadSource source,
      Reports.Self self,
      Reports reports,
      ReportSender sender,
      ScheduledExecutorService clock) {
    this.source = source;
    this.self = self;
    this.reports = reports;
    this.sender = sender;
    this.clock = clock;
  }

  /** A thread that has reporters look. */
  public static ScheduledExecutorService clock() {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, "millrace-load");
          thread.setDaemon(true);
          return thread;
        });
  }

  public void start() {
    looks =
        clock.scheduleWithFixedDelay(
            this::look,
            Math.min(FIRST_S, source.intervalS()),
            source.intervalS(),
            TimeUnit.SECONDS);
  }

  /** Reports the load again after a shard asked for an announcement: its node may be new there. */
  public void tellAgain() {
    again = true;
  }

  private void look() {
    try {
      Map<String, Long> now = source.read();
      if (!self.claim().lost() && (again || NodeLoads.news(reported, now))) {
        again = false;
        Map<String, Long> all = new HashMap<>(self.measured());
        all.putAll(now);
        Reports.Self loaded = new Reports.Self(self.bootId(), all, self.claim(), false);
        sender.send(reports.nodeUp(Topics.ADMINISTRATIVE_SHARD, loaded, () -> {}));
        reported = now;
      }
    } catch (IOException e) {
      log.warn("the load of this host cannot be read: {}", e.toString());
    } catch (RuntimeException e) {
      log.error("the load of this host was not reported; it is tried again", e);
    }
  }

  @Override
  public void close() {
    if (looks != null) {
      looks.cancel(true);
    }
  }
}
