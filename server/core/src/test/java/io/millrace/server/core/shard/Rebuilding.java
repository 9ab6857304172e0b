package io.millrace.server.core.shard;

import io.millrace.schemas.CarriedRecord;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.fact.SnapshotRecord;
import io.millrace.server.core.state.State;
import java.util.List;
import java.util.OptionalLong;
import org.apache.avro.specific.SpecificRecord;

/** Rebuilds the state of a shard from a ledger whose beginning may have been cut off. */
public final class Rebuilding {
  private Rebuilding() {}

  /** Number of the fact that began the last completed snapshot; empty when there is none. */
  public static OptionalLong lastSnapshot(List<SpecificRecord> ledger) {
    for (int i = ledger.size() - 1; i >= 0; i--) {
      if (ledger.get(i) instanceof SnapshotCompleted completed) {
        return OptionalLong.of(completed.getSnapshot());
      }
    }
    return OptionalLong.empty();
  }

  /** Fills an empty state from the chunks of a snapshot and the facts from its beginning on. */
  public static void fromSnapshot(long snapshot, List<SpecificRecord> ledger, State empty) {
    for (SpecificRecord fact : ledger) {
      if (fact instanceof SnapshotChunk chunk && chunk.getSnapshot() == snapshot) {
        for (SnapshotRecord record : chunk.getRecords()) {
          empty.restore(record.getKey(), CarriedRecord.read(empty.codec(), record.getRecord()));
        }
      }
    }
    Shard shard = new Shard(empty);
    for (SpecificRecord fact : ledger) {
      if (Envelope.ofFact(fact).getSeq() >= snapshot) {
        shard.apply(fact);
      }
    }
  }
}
