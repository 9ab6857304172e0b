package io.millrace.schedulers.engine;

import io.millrace.schemas.CarriedRecord;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.SnapshotBegun;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.fact.SnapshotRecord;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * The last completed snapshot in a ledger. It shows the state at the moment of its first record;
 * with the facts from there on it gives the present state.
 */
final class LedgerSnapshot {
  private static final String CHUNK = SnapshotChunk.class.getSimpleName();
  private static final Set<String> MARKS =
      Set.of(SnapshotBegun.class.getSimpleName(), SnapshotCompleted.class.getSimpleName());

  private final LedgerReader ledger;
  private final Map<Long, Long> begun = new HashMap<>();
  private long first = -1;
  private long snapshot = -1;

  /** Searches the ledger from its present position, which is undefined afterwards. */
  LedgerSnapshot(LedgerReader ledger) {
    this.ledger = ledger;
    ledger.find(MARKS, this::mark);
  }

  private void mark(LedgerReader.RecordAtOffset found) {
    if (found.value() instanceof SnapshotBegun mark) {
      begun.put(mark.getMeta().getSeq(), found.offset());
    } else if (found.value() instanceof SnapshotCompleted mark) {
      // A snapshot whose first record was cut off with older history is incomplete.
      Long offset = begun.get(mark.getSnapshot());
      if (offset != null) {
        snapshot = mark.getSnapshot();
        first = offset;
      }
    }
  }

  boolean found() {
    return first >= 0;
  }

  /**
   * Loads the snapshot's records into a fresh state; the ledger is then positioned at the facts
   * that follow.
   */
  void load(Followers followers) {
    // Same order as for a snapshot in memory: queues and node objects before the jobs and nodes
    // that refer to them.
    each(ClusterObject.class, followers::written);
    each(Scheduler.class, followers::scheduler);
    each(EntityUsage.class, followers::usage);
    each(Node.class, node -> followers.each(state -> state.node(node)));
    each(Job.class, followers::job);
    each(Reservation.class, one -> followers.each(state -> state.reservation(one)));
    each(PastReservation.class, followers.core().inputs()::past);
    ledger.seek(first);
  }

  private <R extends SpecificRecord> void each(Class<R> type, Consumer<R> load) {
    ledger.seek(first);
    ledger.find(
        Set.of(CHUNK),
        found -> {
          if (found.value() instanceof SnapshotChunk chunk && chunk.getSnapshot() == snapshot) {
            for (SnapshotRecord record : chunk.getRecords()) {
              CarriedRecord.read(ledger.codec(), record.getRecord(), type).ifPresent(load);
            }
          }
        });
  }
}
