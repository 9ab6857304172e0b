package io.millrace.server.core.shard;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.WireCodec;
import io.millrace.server.core.state.Frozen;
import io.millrace.server.core.state.Table;
import io.millrace.server.core.state.Tables;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A table in memory that knows which keys were written since somebody last asked. */
public final class WatchedTable<V> implements Table<V> {
  private static final RecordCodec CODEC = WireCodec.local();

  private final TreeMap<String, V> records = new TreeMap<>();
  private final Set<String> written = new TreeSet<>();
  private long gets;

  /** A state of such tables. */
  public static Tables tables(int shard, int shards) {
    return new Tables(shard, shards, CODEC, name -> new WatchedTable<>());
  }

  static WatchedTable<Object> of(Tables tables, String name) {
    return (WatchedTable<Object>) tables.<Object>table(name);
  }

  /** How often a record of a table was looked up. */
  public static long gets(Tables tables, String name) {
    return of(tables, name).gets;
  }

  Map<String, V> records() {
    return records;
  }

  Set<String> takeWritten() {
    Set<String> taken = Set.copyOf(written);
    written.clear();
    return taken;
  }

  @Override
  public V get(String key) {
    gets++;
    return records.get(key);
  }

  @Override
  public void scan(String from, String to, RecordVisitor<V> visitor) {
    Map<String, V> range =
        to == null ? records.tailMap(from, true) : records.subMap(from, true, to, false);
    for (Map.Entry<String, V> entry : range.entrySet()) {
      if (!visitor.visit(entry.getKey(), entry.getValue())) {
        return;
      }
    }
  }

  @Override
  public void put(String key, V value) {
    records.put(key, value);
    written.add(key);
  }

  @Override
  public void remove(String key) {
    records.remove(key);
    written.add(key);
  }

  @Override
  public Frozen<V> freeze() {
    return Frozen.copy(records);
  }
}
