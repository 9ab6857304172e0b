package io.millrace.schedulers.dialects.plus;

import static io.millrace.schedulers.dialects.plus.PlusJobKey.BY_QUEUE;
import static io.millrace.schedulers.dialects.plus.PlusJobKey.PRIORITY;
import static io.millrace.schedulers.dialects.plus.PlusJobKey.QUEUE_PRIORITY;
import static io.millrace.schedulers.dialects.plus.PlusJobKey.SUBMITTED;
import static io.millrace.schedulers.dialects.plus.PlusJobKey.TURNS;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The four flags of Torque's FIFO scheduler to which PluS gives keys of jobs: table 3.3 of its
 * manual.
 */
public record TorqueFlags(
    boolean roundRobin, boolean byQueue, boolean sortQueues, boolean strictFifo) {

  /** What Torque's file says unless it is changed. */
  public static final TorqueFlags USUAL = new TorqueFlags(false, true, true, false);

  /** The rows of the table: all combinations but those of round_robin with by_queue. */
  public static List<TorqueFlags> rows() {
    List<TorqueFlags> rows = new ArrayList<>();
    for (int row = 0; row < 12; row++) {
      rows.add(new TorqueFlags((row & 8) != 0, (row & 4) != 0, (row & 2) != 0, (row & 1) != 0));
    }
    return List.copyOf(rows);
  }

  /** The keys that order jobs as Torque does with these flags. */
  public List<PlusJobKey> keys() {
    List<PlusJobKey> keys = new ArrayList<>();
    if (sortQueues) {
      keys.add(QUEUE_PRIORITY);
    }
    if (byQueue) {
      keys.add(BY_QUEUE);
    }
    if (roundRobin) {
      keys.add(TURNS);
    }
    keys.add(strictFifo ? SUBMITTED : PRIORITY);
    return List.copyOf(keys);
  }

  /** The flags that keys stand for; empty for keys that Torque does not have. */
  public static Optional<TorqueFlags> of(List<PlusJobKey> keys) {
    return rows().stream().filter(row -> row.keys().equals(keys)).findFirst();
  }

  @Override
  public String toString() {
    return "round_robin %s, by_queue %s, sort_queues %s, strict_fifo %s"
        .formatted(roundRobin, byQueue, sortQueues, strictFifo);
  }
}
