package io.millrace.server.gateway.status;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.query.QueryException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * The order of qstat -T: running jobs by their start, then waiting ones by their expected start,
 * then all others by number. Rows are remembered for the earliest jobs only: where there are more,
 * the later ones count as others, and a queue of any length is shown in bounded memory.
 */
final class StartOrder {

  static final int SORTED_MAX = 10_000;

  /** Takes one job after the other. */
  interface OrderedJobConsumer {
    void accept(Job job) throws QueryException, InterruptedException;
  }

  /** Lists the same jobs whenever it is asked, as they are then. */
  interface RepeatableJobList {
    void list(OrderedJobConsumer each) throws QueryException, InterruptedException;
  }

  private record StartPosition(boolean waits, long atMs, long number) {}

  private final JobPrinter printer;
  private final TreeMap<StartPosition, String> earliest =
      new TreeMap<>(
          Comparator.comparing(StartPosition::waits)
              .thenComparingLong(StartPosition::atMs)
              .thenComparing(StartPosition::number, JobNumbers.ORDER));
  private boolean others;

  StartOrder(JobPrinter printer) {
    this.printer = printer;
  }

  void print(RepeatableJobList source) throws QueryException, InterruptedException {
    source.list(this::sort);
    Set<Long> printed = new HashSet<>();
    earliest.keySet().forEach(it -> printed.add(it.number()));
    for (String entry : earliest.values()) {
      printer.print(entry);
    }
    earliest.clear();
    if (others) {
      source.list(
          job -> {
            if (!printed.contains(job.getNumber())) {
              printer.print(job);
            }
          });
    }
  }

  private void sort(Job job) throws QueryException, InterruptedException {
    boolean started = job.getStatus() != JobStatus.QUEUED && job.getStartedMs() >= 0;
    OptionalLong time = started ? OptionalLong.of(job.getStartedMs()) : printer.expectedStart(job);
    if (time.isEmpty()) {
      others = true;
      return;
    }
    StartPosition place = new StartPosition(!started, time.getAsLong(), job.getNumber());
    if (earliest.size() == SORTED_MAX) {
      others = true;
      if (earliest.comparator().compare(place, earliest.lastKey()) > 0) {
        return;
      }
      earliest.pollLastEntry();
    }
    earliest.put(place, printer.entry(job));
  }
}
