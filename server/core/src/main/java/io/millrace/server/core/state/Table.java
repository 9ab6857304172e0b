package io.millrace.server.core.state;

/**
 * An ordered table of the shard's state. Records in it are never changed in place: an applier puts
 * a changed copy, so that a fact or an engine that still holds the old one sees no change.
 */
public interface Table<V> extends ReadTable<V> {

  void put(String key, V value);

  void remove(String key);

  /** The records as they are now, in the order of their keys. */
  Frozen<V> freeze();
}
