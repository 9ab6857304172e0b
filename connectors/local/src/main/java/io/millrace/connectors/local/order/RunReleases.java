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
 * Joins the two conditions for forgetting a run: the broker has the report of its end, and the
 * position lies behind its order. An order that could be read again after its run was forgotten
 * would start the run a second time.
 */
public final class RunReleases {
  private static final Logger log = LoggerFactory.getLogger(RunReleases.class);

  private record Delivered(RunId id, long offset) {}

  private final DispatchPosition position;
  private final Deque<Delivered> early = new ArrayDeque<>();

  /** Orders that nothing on the disk remembers yet: the position stays before them. */
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

  /** Ends waiting for the execution; what is delivered from now on is left to the next life. */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** The position must not pass this order until it is settled. */
  synchronized void hold(long offset) {
    held.add(offset);
  }

  /** The order needs nothing any more, or the disk remembers it. */
  synchronized void settled(long offset) {
    held.remove(offset);
  }

  /** The broker has the report of a run's end. */
  public synchronized void delivered(RunId id, long offset) {
    while (execution == null && !closed) { // a report of recovery was quicker than the opening
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return; // the next life reports it again
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

  /** Writes the position, and forgets what waited for it. */
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
      // It stays in the spool and is reported once more by the next life.
      log.warn("cannot remove {} from the spool: {}", id, e.toString());
    }
  }
}
