package io.millrace.connectors.local.report;

import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunUsage;
import io.millrace.schemas.output.RunSample;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the runs of this host have used so far, as their supervisors noted it: a bounded number at a
 * time, in rounds, so that neither a heartbeat nor what it costs to make one grows with the runs.
 */
public final class Samples implements AutoCloseable {
  /**
   * Most samples in one heartbeat, some 10 KB. With more runs several heartbeats are needed for all
   * of them.
   */
  static final int MAX = 500;

  private static final Logger log = LoggerFactory.getLogger(Samples.class);

  private final Execution execution;
  private final Queue<RunId> left = new ArrayDeque<>();
  private final ExecutorService reader =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "millrace-samples");
            thread.setDaemon(true);
            return thread;
          });

  /** The samples that are being read; null when there is no request. */
  private Future<List<RunSample>> reading;

  public Samples(Execution execution) {
    this.execution = execution;
  }

  /**
   * Of the next runs in the round, those of which something is known; none while they cannot be
   * read, so that a file system that hangs never makes a living host silent. Called by one thread.
   *
   * @param waitMs for how long they may be waited for, in milliseconds
   */
  public List<RunSample> next(long waitMs) throws InterruptedException {
    try {
      if (reading == null) {
        reading = reader.submit(this::read);
      }
      List<RunSample> next = reading.get(waitMs, TimeUnit.MILLISECONDS);
      reading = null;
      return next;
    } catch (TimeoutException | RejectedExecutionException e) {
      return List.of(); // it takes long, or the executor is being closed
    } catch (ExecutionException e) {
      reading = null;
      log.warn("what runs use cannot be told", e.getCause());
      return List.of();
    }
  }

  private List<RunSample> read() {
    if (left.isEmpty()) {
      execution.begun().forEach(run -> left.add(run.id()));
    }
    List<RunSample> next = new ArrayList<>();
    for (int looked = 0; looked < MAX && !left.isEmpty(); looked++) {
      RunId id = left.remove();
      look(id).ifPresent(usage -> next.add(sample(id, usage)));
    }
    return next;
  }

  /** What a run has used; empty when it cannot be read now, which the next round makes good. */
  private Optional<RunUsage> look(RunId id) {
    try {
      return execution.sample(id);
    } catch (IOException e) {
      log.debug("the sample of {} cannot be read: {}", id, e.toString());
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    reader.shutdownNow();
  }

  private static RunSample sample(RunId id, RunUsage usage) {
    return new RunSample(
        JobNumbers.of(id.jobId()),
        id.run(),
        id.task(),
        usage.cputMs(),
        usage.memKb(),
        usage.vmemKb());
  }
}
