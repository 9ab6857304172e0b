package io.millrace.server.accounting.ledger;

import io.millrace.schemas.CarriedRecord;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.fact.SnapshotBegun;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.fact.SnapshotRecord;
import io.millrace.server.accounting.book.AccountBook;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From where each shard is read. Where its ledger was cut, the jobs from before the cut are those
 * of the first whole snapshot: its records are of the moment of its beginning, so that they are
 * wanted there, before the facts that follow on it, though they stand behind those. Where nothing
 * is missing, snapshots say nothing new.
 */
public final class LedgerStart {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerStart.class);
  private static final Set<String> MARKS =
      Set.of(
          SnapshotBegun.class.getSimpleName(),
          SnapshotChunk.class.getSimpleName(),
          SnapshotCompleted.class.getSimpleName());
  private static final int CHUNKS_AT_ONCE = 16;

  private final Ledger ledger;
  private final RecordCodec codec;
  private final AccountBook book;
  private final CutLedgerReader known;
  private final Map<Integer, Long> wanted = new HashMap<>();

  /** Who is told of what stood in a ledger before it was cut: the records of a shard's tables. */
  public interface CutLedgerReader {
    void accept(int shard, SpecificRecord record);
  }

  /** Has the ledger go on where the book was kept. */
  public LedgerStart(Ledger ledger, RecordCodec codec, AccountBook book, CutLedgerReader known) {
    this.ledger = ledger;
    this.codec = codec;
    this.book = book;
    this.known = known;
    ledger.begins().forEach(this::open);
  }

  private void open(int shard, long begin) {
    OptionalLong next = book.offset(shard);
    book.snapshot(shard).ifPresent(it -> wanted.put(shard, it));
    if (next.orElse(0) < begin) {
      restart(shard, next.orElse(0), begin);
    } else {
      ledger.seek(shard, next.orElse(begin));
    }
  }

  /** The place from which a shard was to be read is not there any more. All changes are kept. */
  public void lost(int shard, long next) {
    restart(shard, next, ledger.begins().get(shard));
  }

  private void restart(int shard, long next, long begin) {
    // What the book has of these jobs is of the time before the gap.
    book.forget(shard);
    OptionalLong snapshot = begin == 0 ? OptionalLong.empty() : firstWhole(shard, begin);
    LOG.warn(
        "ledger, shard {}, begins at {}: what stood there from {} on gives no lines{}",
        shard,
        begin,
        next,
        begin == 0 || snapshot.isPresent()
            ? ""
            : ", nor do jobs from before it, for no whole snapshot follows");
    wanted.remove(shard);
    snapshot.ifPresent(it -> wanted.put(shard, it));
    book.snapshot(shard, snapshot);
    book.offset(shard, begin);
    book.commit();
    ledger.seek(shard, begin);
  }

  private OptionalLong firstWhole(int shard, long begin) {
    Map<Long, Long> begun = new HashMap<>();
    long[] found = {-1};
    ledger.read(
        shard,
        begin,
        fact -> {
          SpecificRecord record = decoded(fact);
          if (record instanceof SnapshotBegun mark) {
            begun.put(mark.getMeta().getSeq(), fact.offset());
          } else if (record instanceof SnapshotCompleted mark) {
            found[0] = begun.getOrDefault(mark.getSnapshot(), -1L);
          }
          return found[0] < 0;
        });
    return found[0] < 0 ? OptionalLong.empty() : OptionalLong.of(found[0]);
  }

  /** Whether a fact has to wait for {@link #load}. */
  public boolean waits(int shard, long offset) {
    Long snapshot = wanted.get(shard);
    return snapshot != null && offset >= snapshot;
  }

  /** Offset up to which a shard is read before {@link #load}. */
  public long until(int shard) {
    return wanted.get(shard);
  }

  /** Takes up the jobs of snapshots that the shards were read up to. All changes are kept. */
  public void load() {
    if (!wanted.isEmpty()) {
      Map<Integer, Long> positions = ledger.positions();
      wanted.entrySet().removeIf(it -> load(it.getKey(), it.getValue(), positions));
    }
  }

  private boolean load(int shard, long snapshot, Map<Integer, Long> positions) {
    if (positions.get(shard) < snapshot) {
      return false;
    }
    long[] number = {-1};
    int[] chunks = {0};
    ledger.read(
        shard,
        snapshot,
        fact -> {
          SpecificRecord record = decoded(fact);
          if (fact.offset() == snapshot && record instanceof SnapshotBegun mark) {
            number[0] = mark.getMeta().getSeq();
          } else if (record instanceof SnapshotChunk chunk && chunk.getSnapshot() == number[0]) {
            for (SnapshotRecord it : chunk.getRecords()) {
              known.accept(shard, CarriedRecord.read(codec, it.getRecord()));
            }
            if (++chunks[0] % CHUNKS_AT_ONCE == 0) {
              // A process that dies here takes them up again, and those that it has stay.
              book.commit();
            }
          }
          return !(record instanceof SnapshotCompleted mark && mark.getSnapshot() == number[0]);
        });
    book.snapshot(shard, OptionalLong.empty());
    book.commit();
    return true;
  }

  /** Null for what is no part of a snapshot. */
  private SpecificRecord decoded(ConsumerRecord<byte[], byte[]> fact) {
    try {
      return fact.value() != null && MARKS.contains(codec.nameOf(fact.value()))
          ? codec.decode(fact.value())
          : null;
    } catch (UndecodableRecord e) {
      throw new UndecodableFact(fact, e);
    }
  }
}
