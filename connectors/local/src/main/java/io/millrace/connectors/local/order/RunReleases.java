package io.millrace.connectors.local.order;

import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.RunId;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases runs when both conditions hold: the broker has the report of the end, and the position
 * is behind the order. An order that could be read again after its run was forgotten would start
 * the run a second time.
 */
public final class RunReleases {
  private static final Logger log = LoggerFactory.getLogger(RunReleases.class);

  private record Delivered(RunId id, long offset) {}

  private final DispatchPosition position;
  private final Deque<Delivered> early = new ArrayDeque<>();

  /** Orders that are not on the disk yet: the position stays before them. */
  private final TreeSet<Long> held = new TreeSet<>();

  private Execution execution;
  private long next = -1;
  private long count;
  private boolean closed;

  public RunReleases(DispatchPosition position) {
    this.position = position;
  }

  public synchronized void of(Execution execution) {
    this.execution = execution;
    notifyAll();
  }

  public synchronized long count() {
    return count;
  }

  /**
   * Stops waiting for the execution; runs whose reports are delivered from now on are released by
   * the next process.
   */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** The position must not pass this order until it is settled. */
  synchronized void hold(long offset) {
    held.add(offset);
  }

  /** The order needs no more work, or is on the disk. */
  synchronized void settled(long offset) {
    held.remove(offset);
  }

  /** The broker has the report of a run's end. */
  public synchronized void delivered(RunId id, long offset) {
    while (execution == null
        && !closed) { // the report of a recovered run was delivered before the execution was open
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return; // the next process reports it again
      }
    }
    if (closed) {
      return;
    }
    held.remove(offset);
    if (!execution.survives() || position.covers(offset)) {
      release(id);
    } else {
      early.add(new Delivered(id, offset));
    }
  }

  /** All orders before this offset were given to the execution. */
  synchronized void reached(long offset) throws IOException {
    next = offset;
    save();
  }

  /** Writes the position, and releases the runs that waited for it. */
  synchronized void save() throws IOException {
    long safe = held.isEmpty() ? next : Math.min(next, held.first());
    OptionalLong written = position.read();
    if (safe >= 0 && (written.isEmpty() || written.getAsLong() != safe)) {
      position.write(safe);
    }
    for (int left = early.size(); left > 0; left--) {
      Delivered delivered = early.remove();
      if (position.covers(delivered.offset())) {
        release(delivered.id());
      } else {
        early.add(delivered);
      }
    }
  }

  private void release(RunId id) {
    try {
      execution.release(id);
      count++;
    } catch (IOException e) {
      // It stays in the spool, and the next process reports it once more.
      log.warn("cannot remove {} from the spool: {}", id, e.toString());
    }
  }
}
