package io.millrace.server.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.state.Timer;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Timers, with the first key at hand: every command asks whether one is due, and a seek in RocksDB
 * would walk over the tombstones of all that have fired.
 */
final class TimerTable extends StoreTable<Timer> {
  private static final String NONE = LAST;

  /** No timer comes before this key; null when it is to be looked up from {@link #after} on. */
  private String first;

  private String after = "";

  TimerTable(KeyValueStore<String, byte[]> store, String prefix, RecordCodec codec) {
    super(store, prefix, codec, 0);
  }

  @Override
  public void scan(String from, String to, RecordVisitor<Timer> visitor) {
    if (first == null) {
      first = NONE;
      super.scan(
          after,
          null,
          (key, timer) -> {
            first = key;
            return false;
          });
    }
    if (first.equals(NONE) || (to != null && first.compareTo(to) >= 0)) {
      return;
    }
    super.scan(from.compareTo(first) < 0 ? first : from, to, visitor);
  }

  @Override
  public void put(String key, Timer value) {
    super.put(key, value);
    if (first != null && key.compareTo(first) < 0) {
      first = key;
    }
    if (key.compareTo(after) < 0) {
      after = key;
    }
  }

  @Override
  public void remove(String key) {
    super.remove(key);
    if (key.equals(first)) {
      after = key;
      first = null;
    }
  }
}
