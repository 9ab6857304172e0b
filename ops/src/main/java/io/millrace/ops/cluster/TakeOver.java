package io.millrace.ops.cluster;

import io.millrace.schemas.output.ShardOwner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether others have taken over the shards of a server that has ended: the brokers have assigned
 * each to another one, and its owner has announced itself since.
 */
final class TakeOver {

  /** How far it has come. */
  enum TakeOverProgress {
    WAITS,
    DONE,
    /** Nobody else is in the group any more: nobody will come. */
    NOBODY
  }

  /** With what the address of a Unix socket begins; servers of two hosts may have the same. */
  private static final String LOCAL = "unix:";

  private final String own;
  private final String address;
  private final List<Integer> shards;
  private final Set<Integer> announced = new TreeSet<>();
  private Set<Integer> left;

  /**
   * @param own name of the server that ends, in the group
   * @param address where it answers
   * @param shards that it has
   */
  TakeOver(String own, String address, List<Integer> shards) {
    this.own = own;
    this.address = address;
    this.shards = List.copyOf(shards);
    this.left = new TreeSet<>(shards);
  }

  /** Somebody has said that it serves a shard, after the server was asked to end. */
  void announced(ShardOwner owner) {
    // A server that was about to serve a shard may still say so before it ends.
    boolean itself = owner.getQueryAddress().equals(address) && !address.startsWith(LOCAL);
    if (!itself) {
      announced.add(owner.getShard());
    }
  }

  /**
   * @param shares the shards of each server; empty while it is not known
   */
  TakeOverProgress look(Optional<Map<String, List<Integer>>> shares) {
    if (shares.isEmpty()) {
      return TakeOverProgress.WAITS;
    }
    left = unowned(shards, shares.get(), own);
    if (shares.get().keySet().stream().allMatch(own::equals)) {
      left.addAll(shards);
      return TakeOverProgress.NOBODY;
    }
    shards.stream().filter(shard -> !announced.contains(shard)).forEach(left::add);
    // A member keeps its name until its session is over: its shares count for nobody.
    return left.isEmpty() && !shares.get().containsKey(own)
        ? TakeOverProgress.DONE
        : TakeOverProgress.WAITS;
  }

  /** The shards that nobody had at the last look. */
  List<Integer> left() {
    return List.copyOf(left);
  }

  /** The shards that are no other server's. */
  static Set<Integer> unowned(List<Integer> shards, Map<String, List<Integer>> shares, String own) {
    Set<Integer> unowned = new TreeSet<>(shards);
    shares.forEach(
        (server, its) -> {
          if (!server.equals(own)) {
            its.forEach(unowned::remove);
          }
        });
    return unowned;
  }
}
