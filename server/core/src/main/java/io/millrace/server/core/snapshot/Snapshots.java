package io.millrace.server.core.snapshot;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.SnapshotBegun;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.fact.SnapshotRecord;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Frozen;
import io.millrace.server.core.Keys;
import io.millrace.server.core.Shard;
import io.millrace.server.core.State;
import io.millrace.server.core.View;
import io.millrace.server.core.shard.Weight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * Writes the snapshots of a shard. What was frozen lives with the owner of the shard only: when it
 * goes, a snapshot that was not completed is left as it is and another one is begun in its time.
 */
public final class Snapshots implements AutoCloseable {
  /** Name of the continued work; the cursor is the number of the snapshot, empty to begin one. */
  public static final String WORK = "snapshot";

  /** Server attribute: a snapshot is due after so many facts; 0 or none: never. */
  public static final String INTERVAL = "ledger_snapshot_facts";

  static final int RECORDS_AT_ONCE = 200;

  /** A chunk has no more bytes than these, unless it is a single larger record. */
  static final long BYTES_AT_ONCE = 256 << 10;

  private static final int FIRST_TYPE = SnapshotRecord.SCHEMA$.getField("key").pos() + 1;

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
    ClusterObject server = view.objects().get(Keys.object(ObjectKind.SERVER, "server"));
    long interval = Long.parseLong(Context.attribute(server, INTERVAL, "0"));
    ShardState numbers = Shard.numbers(view);
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
      long weight = Weight.of(next.getValue());
      if (!chunk.isEmpty() && bytes + weight > BYTES_AT_ONCE) {
        break;
      }
      bytes += weight;
      chunk.add(record(next));
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
    return decision.tell(c.shard(), new Continue(c.asShard(), WORK, Long.toString(snapshot)));
  }

  private static SnapshotRecord record(Map.Entry<String, SpecificRecord> entry) {
    SnapshotRecord record = new SnapshotRecord();
    record.setKey(entry.getKey());
    List<Schema.Field> fields = SnapshotRecord.SCHEMA$.getFields();
    for (int i = FIRST_TYPE; i < fields.size(); i++) {
      if (fields.get(i).schema().getTypes().contains(entry.getValue().getSchema())) {
        record.put(i, entry.getValue());
        return record;
      }
    }
    throw new IllegalArgumentException(
        "a snapshot cannot hold a " + entry.getValue().getSchema().getName());
  }

  /** What a chunk's record holds. */
  public static SpecificRecord content(SnapshotRecord record) {
    for (int i = FIRST_TYPE; i < SnapshotRecord.SCHEMA$.getFields().size(); i++) {
      if (record.get(i) != null) {
        return (SpecificRecord) record.get(i);
      }
    }
    throw new IllegalArgumentException("nothing in the record of " + record.getKey());
  }

  /** Leaves a snapshot that is under way as it is. */
  @Override
  public void close() {
    if (frozen != null) {
      frozen.close();
      frozen = null;
      next = null;
    }
  }
}
