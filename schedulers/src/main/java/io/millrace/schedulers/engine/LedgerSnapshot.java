package io.millrace.schedulers.engine;

import io.millrace.schemas.CarriedRecord;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.SnapshotBegun;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.fact.SnapshotRecord;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * The last completed snapshot in a ledger. Its records are of the moment of its beginning: with the
 * facts from there on they give the present.
 */
final class LedgerSnapshot {
  private static final String CHUNK = SnapshotChunk.class.getSimpleName();
  private static final Set<String> MARKS =
      Set.of(SnapshotBegun.class.getSimpleName(), SnapshotCompleted.class.getSimpleName());

  private final LedgerReader ledger;
  private final Map<Long, Long> begun = new HashMap<>();
  private long first = -1;
  private long snapshot = -1;

  /** Looks through the ledger from where it is; its position is then undefined. */
  LedgerSnapshot(LedgerReader ledger) {
    this.ledger = ledger;
    ledger.find(MARKS, this::mark);
  }

  private void mark(LedgerReader.Found found) {
    if (found.value() instanceof SnapshotBegun mark) {
      begun.put(mark.getMeta().getSeq(), found.offset());
    } else if (found.value() instanceof SnapshotCompleted mark) {
      // Without its beginning, a part of it was cut off.
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

  /** Puts its records into a fresh state; the ledger is then at the facts that follow on them. */
  void load(Followers followers) {
    // As in a snapshot in memory: a job finds its queue, and a node what it is.
    each(ClusterObject.class, object -> followers.each(state -> state.written(object)));
    each(Node.class, node -> followers.each(state -> state.node(node)));
    each(Job.class, job -> followers.each(state -> state.job(job)));
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
