package io.millrace.server.core.state;

import java.util.function.Consumer;

/** The read side of a table, ordered by key. */
public interface ReadTable<V> {

  /** The record, or null. */
  V get(String key);

  /**
   * Visits records in the order of their keys, from {@code from} (inclusive) to {@code to}
   * (exclusive; null: to the end), until the visitor returns false.
   */
  void scan(String from, String to, RecordVisitor<V> visitor);

  /** Gives every record to {@code sink}, in the order of the keys; a long table may hurry. */
  default void each(Consumer<? super V> sink) {
    scan(
        "",
        null,
        (key, value) -> {
          sink.accept(value);
          return true;
        });
  }

  /** Takes one record; returns false to stop. */
  @FunctionalInterface
  interface RecordVisitor<V> {
    boolean visit(String key, V value);
  }
}
