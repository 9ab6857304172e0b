package io.millrace.server.core.snapshot;

import io.millrace.schemas.CarriedRecord;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.SnapshotBegun;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.fact.SnapshotRecord;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.Frozen;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.View;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/**
 * Writes the snapshots of a shard. The frozen tables exist in the process that owns the shard; when
 * it ends, the unfinished snapshot is abandoned, and the next owner begins another when one is due.
 */
public final class Snapshots implements AutoCloseable {
  /** Name of the continued work; the cursor is the number of the snapshot, empty to begin one. */
  public static final String WORK = "snapshot";

  /** Server attribute: a snapshot is due after so many facts; 0 or none: never. */
  public static final String INTERVAL = "ledger_snapshot_facts";

  static final int RECORDS_AT_ONCE = 200;

  /** Most bytes of a chunk, unless it is a single larger record. */
  static final long BYTES_AT_ONCE = 256 << 10;

  private final State state;
  private Frozen<SpecificRecord> frozen;
  private Map.Entry<String, SpecificRecord> next;
  private long snapshot;
  private long records;

  public Snapshots(State state) {
    this.state = state;
  }

  /** Whether enough facts were written since the last one. */
  public static boolean due(View view) {
    ClusterObject server = view.objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
    long interval = Long.parseLong(Context.attribute(server, INTERVAL, "0"));
    ShardState numbers = ShardNumbers.of(view);
    return interval > 0 && numbers.getSeq() - numbers.getSnapshotSeq() >= interval;
  }

  public Decision go(Context c, String cursor) {
    if (cursor.isEmpty()) {
      return frozen == null && due(c.view()) ? begin(c) : Decision.none();
    }
    boolean mine = frozen != null && cursor.equals(Long.toString(snapshot));
    return mine ? write(c) : Decision.none();
  }

  private Decision begin(Context c) {
    frozen = state.freeze();
    next = frozen.hasNext() ? frozen.next() : null;
    records = 0;
    SnapshotBegun begun = new SnapshotBegun(c.stamp());
    snapshot = begun.getMeta().getSeq();
    return goOn(c, Decision.none().fact(begun));
  }

  private Decision write(Context c) {
    List<SnapshotRecord> chunk = new ArrayList<>();
    long bytes = 0;
    while (next != null && chunk.size() < RECORDS_AT_ONCE) {
      ByteBuffer record = CarriedRecord.of(state.codec(), next.getValue());
      if (!chunk.isEmpty() && bytes + record.remaining() > BYTES_AT_ONCE) {
        break;
      }
      bytes += record.remaining();
      chunk.add(new SnapshotRecord(next.getKey(), record));
      next = frozen.hasNext() ? frozen.next() : null;
    }
    records += chunk.size();
    Decision decision = Decision.none();
    if (!chunk.isEmpty()) {
      decision.fact(new SnapshotChunk(c.stamp(), snapshot, chunk));
    }
    if (next != null) {
      return goOn(c, decision);
    }
    close();
    return decision.fact(new SnapshotCompleted(c.stamp(), snapshot, records));
  }

  private Decision goOn(Context c, Decision decision) {
    return decision.goOn(c, WORK, Long.toString(snapshot));
  }

  /** Abandons a snapshot that is not completed. */
  @Override
  public void close() {
    if (frozen != null) {
      frozen.close();
      frozen = null;
      next = null;
    }
  }
}
