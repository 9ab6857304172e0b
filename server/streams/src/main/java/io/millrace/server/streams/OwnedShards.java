package io.millrace.server.streams;

import io.millrace.server.streams.answer.HeldAnswers;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/** Shards that this process holds now. */
final class OwnedShards {
  private final Set<Integer> shards = ConcurrentHashMap.newKeySet();
  private final Map<Integer, Look> looks = new ConcurrentHashMap<>();
  private final HeldAnswers answers;
  private volatile String queryAddress = "";

  /**
   * @param answers that wait for their commit
   */
  OwnedShards(HeldAnswers answers) {
    this.answers = answers;
  }

  HeldAnswers answers() {
    return answers;
  }

  /** What a shard looks at between two commands, on its own thread. */
  private record Look(Thread thread, LongConsumer at) {}

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

  /**
   * A shard of the caller's thread has begun.
   *
   * @param look looks, without writing anything, whether the shard has to do something now
   */
  void begun(int shard, LongConsumer look) {
    looks.put(shard, new Look(Thread.currentThread(), look));
  }

  /** Has the shards of the caller's thread look, between two polls. */
  void look(long nowMs) {
    for (Look look : looks.values()) {
      if (look.thread() == Thread.currentThread()) {
        look.at().accept(nowMs);
      }
    }
  }

  void lost(int shard) {
    looks.remove(shard);
    shards.remove(shard);
  }

  boolean holds(int shard) {
    return shards.contains(shard);
  }

  Set<Integer> all() {
    return Set.copyOf(shards);
  }
}
