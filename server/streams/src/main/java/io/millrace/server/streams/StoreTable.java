package io.millrace.server.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.server.core.state.Frozen;
import io.millrace.server.core.state.Table;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A table in a RocksDB store. Changes are collected until the commit, so that a record that changes
 * often is written once; {@link WriteBehind} has {@link #flush} called before each commit. The
 * records used last stay decoded.
 */
class StoreTable<V extends SpecificRecord> implements Table<V> {
  /** Comes after every key. */
  static final String LAST = String.valueOf(Character.MAX_VALUE);

  /** So many records are read without a second thread, since most tables have fewer. */
  private static final int SHORT = 500;

  private final KeyValueStore<String, byte[]> store;
  private final String prefix;
  private final RecordCodec codec;
  private final Map<String, V> recent;
  private final Map<String, V> changed = new LinkedHashMap<>();
  private Runnable flush = this::write;

  /**
   * @param prefix what stands before the table's keys in the store
   * @param recentMax decoded records to keep
   */
  StoreTable(KeyValueStore<String, byte[]> store, String prefix, RecordCodec codec, int recentMax) {
    this.store = store;
    this.prefix = prefix;
    this.codec = codec;
    this.recent =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > recentMax;
          }
        };
  }

  @Override
  public V get(String key) {
    if (changed.containsKey(key)) {
      return changed.get(key);
    }
    V known = recent.get(key);
    if (known != null) {
      return known;
    }
    byte[] bytes = store.get(prefix + key);
    if (bytes == null) {
      return null;
    }
    V value = decode(bytes);
    recent.put(key, value);
    return value;
  }

  @Override
  public void scan(String from, String to, RecordVisitor<V> visitor) {
    flush();
    String end = prefix + (to == null ? LAST : to);
    try (KeyValueIterator<String, byte[]> records = store.range(prefix + from, end)) {
      while (records.hasNext()) {
        KeyValue<String, byte[]> record = records.next();
        String key = record.key.substring(prefix.length());
        if (key.equals(to) || !visitor.visit(key, decode(record.value))) {
          return;
        }
      }
    }
  }

  @Override
  public void each(Consumer<? super V> sink) {
    flush();
    try (KeyValueIterator<String, byte[]> records = store.range(prefix, prefix + LAST)) {
      ReadAhead.each(records, record -> decode(record.value), sink);
    }
  }

  /**
   * All that the store has, in order. Where that is much, a second thread reads it; it decodes
   * nothing, since whoever keeps a record may share its parts with others at once.
   */
  void eachEntry(BiConsumer<String, V> sink) {
    Consumer<KeyValue<String, byte[]>> one =
        record -> sink.accept(record.key.substring(prefix.length()), decode(record.value));
    try (KeyValueIterator<String, byte[]> records = store.range(prefix, prefix + LAST)) {
      for (int i = 0; i < SHORT && records.hasNext(); i++) {
        one.accept(records.next());
      }
      if (records.hasNext()) {
        ReadAhead.each(records, record -> record, one);
      }
    }
  }

  @Override
  public void put(String key, V value) {
    changed.put(key, value);
  }

  @Override
  public void remove(String key) {
    changed.put(key, null);
  }

  /** The store's iterator shows what was there when it was opened. */
  @Override
  public Frozen<V> freeze() {
    flush();
    KeyValueIterator<String, byte[]> records = store.range(prefix, prefix + LAST);
    return new Frozen<>() {
      @Override
      public boolean hasNext() {
        return records.hasNext();
      }

      @Override
      public Map.Entry<String, V> next() {
        KeyValue<String, byte[]> record = records.next();
        return Map.entry(record.key.substring(prefix.length()), decode(record.value));
      }

      @Override
      public void close() {
        records.close();
      }
    };
  }

  void flush() {
    flush.run();
  }

  /**
   * From now on these are flushed together, so that a reader who asks first for the record and then
   * for what points to where it went finds one of them at any time: new pointers are written before
   * records go, and old ones go when the records are there.
   */
  static void together(StoreTable<?> records, StoreTable<?> pointers) {
    Runnable all =
        () -> {
          pointers.writeNew();
          records.write();
          pointers.write();
        };
    records.flush = all;
    pointers.flush = all;
  }

  /** All but the removals. */
  private void writeNew() {
    Map<String, V> removed = new LinkedHashMap<>();
    changed.entrySet().stream()
        .filter(change -> change.getValue() == null)
        .forEach(change -> removed.put(change.getKey(), null));
    changed.values().removeIf(value -> value == null);
    write();
    changed.putAll(removed);
  }

  private void write() {
    if (changed.isEmpty()) {
      return;
    }
    for (Map.Entry<String, V> change : changed.entrySet()) {
      V value = change.getValue();
      if (value == null) {
        store.delete(prefix + change.getKey());
        recent.remove(change.getKey());
      } else {
        store.put(prefix + change.getKey(), codec.encode(value));
        recent.put(change.getKey(), value);
      }
    }
    changed.clear();
  }

  @SuppressWarnings("unchecked")
  private V decode(byte[] bytes) {
    try {
      return (V) codec.decode(bytes);
    } catch (UndecodableRecord e) {
      throw new IllegalStateException("store " + store.name() + ": " + e.getMessage(), e);
    }
  }

  /** For small tables of which every command needs something: all of it stays decoded. */
  static <V extends SpecificRecord> StoreTable<V> small(
      KeyValueStore<String, byte[]> store, String prefix, RecordCodec codec) {
    return new SmallTable<>(store, prefix, codec, UnaryOperator.identity());
  }

  /** One thread writes it; any may have what {@link #records} gives. */
  static final class SmallTable<V extends SpecificRecord> extends StoreTable<V> {
    private final Map<String, V> all = new ConcurrentHashMap<>();

    /** Keys in their order, which only scans need; most changes are of a record that is there. */
    private final TreeSet<String> keys = new TreeSet<>();

    /**
     * @param kept what is kept of a record that was read
     */
    SmallTable(
        KeyValueStore<String, byte[]> store,
        String prefix,
        RecordCodec codec,
        UnaryOperator<V> kept) {
      super(store, prefix, codec, 0);
      eachEntry((key, value) -> all.put(key, kept.apply(value)));
      keys.addAll(all.keySet());
    }

    /** Its records as they are at any time, in no order, for any thread. */
    Collection<V> records() {
      return Collections.unmodifiableCollection(all.values());
    }

    @Override
    public V get(String key) {
      return all.get(key);
    }

    @Override
    public void scan(String from, String to, RecordVisitor<V> visitor) {
      for (String key : to == null ? keys.tailSet(from) : keys.subSet(from, to)) {
        if (!visitor.visit(key, all.get(key))) {
          return;
        }
      }
    }

    @Override
    public void each(Consumer<? super V> sink) {
      keys.forEach(key -> sink.accept(all.get(key)));
    }

    @Override
    public void put(String key, V value) {
      if (all.put(key, value) == null) {
        keys.add(key);
      }
      super.put(key, value);
    }

    @Override
    public void remove(String key) {
      all.remove(key);
      keys.remove(key);
      super.remove(key);
    }
  }
}
