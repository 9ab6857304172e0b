package io.millrace.server.core.state;

import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Records by key as they were at one moment, whatever was written since. */
public interface Frozen<V> extends Iterator<Map.Entry<String, V>>, AutoCloseable {

  @Override
  void close();

  /** A copy of a table in memory. */
  static <V> Frozen<V> copy(SortedMap<String, V> records) {
    Iterator<Map.Entry<String, V>> entries = new TreeMap<>(records).entrySet().iterator();
    return new Frozen<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public Map.Entry<String, V> next() {
        return entries.next();
      }

      @Override
      public void close() {
        // memory only
      }
    };
  }
}
