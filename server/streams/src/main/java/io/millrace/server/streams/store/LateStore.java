package io.millrace.server.streams.store;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;

/**
 * A store in RocksDB whose database is made with its first record. Most tables of most shards are
 * empty, and Kafka Streams opens each store twice at every start, with some five waits for the disk
 * each time (docs/decisions/0081).
 */
public final class LateStore implements KeyValueStore<Bytes, byte[]> {

  /** Folder of the databases in that of a task, as Kafka Streams names it. */
  private static final String DATABASES = "rocksdb";

  private final KeyValueStore<Bytes, byte[]> database;
  private StateStoreContext context;
  private StateStore root;
  private volatile boolean started;

  /** Whether the database is there; read by threads that answer queries. */
  private volatile boolean made;

  /** What was committed while there was no database. */
  private Map<TopicPartition, Long> committed = Map.of();

  private RestoredStore restored;

  /**
   * @param database that is not opened yet
   */
  LateStore(KeyValueStore<Bytes, byte[]> database) {
    this.database = database;
  }

  /**
   * Takes the place of Kafka Streams' own supplier of stores in RocksDB.
   *
   * @param name of the store
   */
  public static KeyValueBytesStoreSupplier supplier(String name) {
    KeyValueBytesStoreSupplier databases = Stores.persistentKeyValueStore(name);
    return new KeyValueBytesStoreSupplier() {
      @Override
      public String name() {
        return databases.name();
      }

      @Override
      public KeyValueStore<Bytes, byte[]> get() {
        return new LateStore(databases.get());
      }

      @Override
      public String metricsScope() {
        return databases.metricsScope();
      }
    };
  }

  @Override
  public String name() {
    return database.name();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    this.context = context;
    this.root = root;
    committed = Map.of();
    restored = null;
    made = Files.isDirectory(folder());
    if (made) {
      database.init(context, root);
    } else {
      context.register(root, (RecordBatchingStateRestoreCallback) this::restore, this::onCommit);
    }
    started = true;
  }

  private Path folder() {
    return new File(new File(context.stateDir(), DATABASES), name()).toPath();
  }

  /**
   * Whether there is a database to read.
   *
   * @throws InvalidStateStoreException when the store is closed: a reader must not take what has
   *     gone elsewhere for what there is not
   */
  private boolean hasDatabase() {
    boolean found = made; // before the other: between them the store may be closed and begun anew
    if (!started) {
      throw new InvalidStateStoreException("store " + name() + " is closed");
    }
    return found;
  }

  private synchronized void make() {
    if (!made) {
      restored = new RestoredStore(context);
      database.init(restored, root);
      if (!committed.isEmpty()) {
        database.commit(committed);
      }
      made = true;
    }
  }

  private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
    if (!records.isEmpty()) {
      make();
      restored.restore(records);
    }
  }

  private void onCommit() throws IOException {
    if (made) {
      restored.onCommit();
    }
  }

  @Override
  public void put(Bytes key, byte[] value) {
    if (hasDatabase() || value != null) {
      make();
      database.put(key, value);
    }
  }

  @Override
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    make();
    return database.putIfAbsent(key, value);
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    if (!entries.isEmpty()) {
      make();
      database.putAll(entries);
    }
  }

  @Override
  public byte[] delete(Bytes key) {
    return hasDatabase() ? database.delete(key) : null;
  }

  @Override
  public byte[] get(Bytes key) {
    return hasDatabase() ? database.get(key) : null;
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    return hasDatabase() ? database.range(from, to) : new NoRecords();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
    return hasDatabase() ? database.reverseRange(from, to) : new NoRecords();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return hasDatabase() ? database.all() : new NoRecords();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseAll() {
    return hasDatabase() ? database.reverseAll() : new NoRecords();
  }

  @Override
  public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(
      P prefix, S serializer) {
    return hasDatabase() ? database.prefixScan(prefix, serializer) : new NoRecords();
  }

  @Override
  public long approximateNumEntries() {
    return hasDatabase() ? database.approximateNumEntries() : 0;
  }

  @Override
  public boolean persistent() {
    return true;
  }

  /** Asked until Kafka Streams knows only stores that do. */
  @Override
  @SuppressWarnings("deprecation")
  public boolean managesOffsets() {
    return true;
  }

  /**
   * Without a database, and beside one into which nothing was written before its process was
   * killed, nothing of the changelog is here: Kafka Streams would take a store without any offset
   * for damaged, and the whole shard with it.
   */
  @Override
  public Long committedOffset(TopicPartition changelog) {
    Long offset = made ? database.committedOffset(changelog) : committed.get(changelog);
    return offset == null && isEmpty() ? Long.valueOf(OffsetCheckpoint.OFFSET_UNKNOWN) : offset;
  }

  private boolean isEmpty() {
    try (KeyValueIterator<Bytes, byte[]> records = all()) {
      return !records.hasNext();
    }
  }

  @Override
  public synchronized void commit(Map<TopicPartition, Long> offsets) {
    if (made) {
      database.commit(offsets);
    } else {
      committed = Map.copyOf(offsets);
    }
  }

  @Override
  public Position getPosition() {
    return hasDatabase() ? database.getPosition() : Position.emptyPosition();
  }

  @Override
  public boolean isOpen() {
    return started;
  }

  @Override
  public synchronized void close() {
    started = false;
    database.close(); // it is open, too, where its making failed behind the opening
  }
}
