package io.millrace.server.streams;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Shards that this process holds now. */
final class OwnedShards {
  private final Set<Integer> shards = ConcurrentHashMap.newKeySet();
  private volatile String queryAddress = "";

  /** Address "host:port" at which this process answers queries. */
  void answersAt(String address) {
    queryAddress = address;
  }

  String queryAddress() {
    return queryAddress;
  }

  void gained(int shard) {
    shards.add(shard);
  }

  void lost(int shard) {
    shards.remove(shard);
  }

  boolean holds(int shard) {
    return shards.contains(shard);
  }

  Set<Integer> all() {
    return Set.copyOf(shards);
  }
}
