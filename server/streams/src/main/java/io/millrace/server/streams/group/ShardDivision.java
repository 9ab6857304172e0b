package io.millrace.server.streams.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Who gets which shards and keeps copies of which others. A shard stays with its owner, and one
 * that has lost its owner goes to a server that has its tables open and whole. A server that has
 * just come gets copies first, and its share of the shards when these are whole: they go over in a
 * moment then, while nothing is decided in a shard whose new owner still opens its tables.
 */
final class ShardDivision {

  /** A server that comes has opened its tables within this time, and warmed up. */
  static final Duration FIRST_LOOK = Duration.ofSeconds(3);

  /** Each look stops the commits of all servers for a moment. */
  static final Duration NEXT_LOOK = Duration.ofSeconds(10);

  /**
   * A server as the brokers know it.
   *
   * @param settled whether it was there at the last division
   * @param owned shards that are its own now
   * @param behind records that its tables of a shard lack; a shard is absent where that is unknown
   */
  record DividedServer(
      String name, boolean settled, Set<Integer> owned, Map<Integer, Long> behind) {

    private long lack(int shard) {
      return owned.contains(shard) ? 0 : behind.getOrDefault(shard, Long.MAX_VALUE);
    }
  }

  /**
   * What a server gets.
   *
   * @param lookAgain when it asks for a further division, since its copies may be whole by then
   */
  record DividedShare(
      SortedSet<Integer> shards, SortedSet<Integer> copies, Optional<Duration> lookAgain) {}

  private final Map<String, DividedServer> servers = new TreeMap<>();
  private final SortedSet<Integer> shards;
  private final int copies;
  private final long lackMax;
  private final Map<String, SortedSet<Integer>> owned = new TreeMap<>();
  private final Map<String, SortedSet<Integer>> copied = new TreeMap<>();
  private final Map<String, Duration> looks = new HashMap<>();

  /**
   * @param copies of each shard, as far as there are servers
   * @param lackMax of records, with which a copy still counts as whole
   */
  ShardDivision(
      Collection<DividedServer> servers, Collection<Integer> shards, int copies, long lackMax) {
    for (DividedServer server : servers) {
      this.servers.put(server.name(), server);
      owned.put(server.name(), new TreeSet<>());
      copied.put(server.name(), new TreeSet<>());
    }
    this.shards = new TreeSet<>(shards);
    this.copies = copies;
    this.lackMax = lackMax;
  }

  /** The share of each server, by its name. */
  Map<String, DividedShare> shares() {
    for (int shard : shards) {
      owner(shard).ifPresent(server -> owned.get(server).add(shard));
    }
    shards.stream().filter(shard -> owner(shard).isEmpty()).forEach(this::adopt);
    level();
    prepare();
    shards.forEach(this::copy);
    Map<String, DividedShare> shares = new TreeMap<>();
    for (String name : servers.keySet()) {
      Optional<Duration> look = Optional.ofNullable(looks.get(name));
      shares.put(name, new DividedShare(owned.get(name), copied.get(name), look));
    }
    return shares;
  }

  private Optional<String> owner(int shard) {
    return servers.values().stream()
        .filter(server -> server.owned().contains(shard))
        .map(DividedServer::name)
        .findFirst();
  }

  private boolean whole(DividedServer server, int shard) {
    return server.lack(shard) <= lackMax;
  }

  /** A shard without an owner: its tables should be open, then whole, then nearly so. */
  private void adopt(int shard) {
    Comparator<DividedServer> best =
        Comparator.comparing((DividedServer it) -> !whole(it, shard))
            .thenComparing(it -> !it.settled())
            .thenComparing(it -> whole(it, shard) ? 0 : it.lack(shard))
            .thenComparing(it -> owned.get(it.name()).size())
            .thenComparing(it -> it.lack(shard))
            .thenComparing(DividedServer::name);
    servers.values().stream().min(best).ifPresent(server -> owned.get(server.name()).add(shard));
  }

  /** Moves shards from who has more to who is ready for them. */
  private void level() {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (String to : lightestFirst()) {
        DividedServer server = servers.get(to);
        Optional<Integer> shard =
            server.settled()
                ? spare(to, owned.get(to).size()).stream()
                    .filter(it -> whole(server, it))
                    .findFirst()
                : Optional.empty();
        if (shard.isPresent()) {
          owned.values().forEach(it -> it.remove(shard.get()));
          owned.get(to).add(shard.get());
          moved = true;
          break;
        }
      }
    }
  }

  /** Who could not get its share makes copies of it. */
  private void prepare() {
    Set<Integer> prepared = new HashSet<>();
    for (String to : lightestFirst()) {
      List<Integer> spare =
          spare(to, owned.get(to).size()).stream().filter(it -> !prepared.contains(it)).toList();
      int even = shards.size() / servers.size();
      int wanted = Math.max(1, even - owned.get(to).size());
      if (!spare.isEmpty()) {
        List<Integer> best = spare.subList(0, Math.min(wanted, spare.size()));
        prepared.addAll(best);
        copied.get(to).addAll(best);
        looks.put(to, servers.get(to).settled() ? NEXT_LOOK : FIRST_LOOK);
      }
    }
  }

  private List<String> lightestFirst() {
    List<String> names = new ArrayList<>(servers.keySet());
    names.sort(Comparator.comparingInt(name -> owned.get(name).size()));
    return names;
  }

  /**
   * Shards of servers that have at least two more than another one, the best for it first: whole
   * copies, and of those every second shard, since shards with neighbouring numbers were made
   * together and may have most jobs.
   */
  private List<Integer> spare(String to, int size) {
    DividedServer server = servers.get(to);
    return owned.values().stream()
        .filter(it -> it.size() >= size + 2)
        .sorted(Comparator.comparingInt((SortedSet<Integer> it) -> it.size()).reversed())
        .flatMap(Collection::stream)
        .sorted(
            Comparator.comparing((Integer shard) -> !whole(server, shard))
                .thenComparing(shard -> neighbours(to, shard))
                .thenComparing(server::lack))
        .toList();
  }

  /** How many of the two shards beside this one are a server's. */
  private int neighbours(String server, int shard) {
    int last = shards.last();
    return (int)
        Stream.of(shard == 0 ? last : shard - 1, shard == last ? 0 : shard + 1)
            .filter(owned.get(server)::contains)
            .count();
  }

  /** Copies stay where they are, unless one server has more than its share of them. */
  private void copy(int shard) {
    int share = (shards.size() * copies + servers.size() - 1) / servers.size();
    Comparator<DividedServer> best =
        Comparator.comparing((DividedServer it) -> copied.get(it.name()).size() >= share)
            .thenComparing(it -> !whole(it, shard))
            .thenComparing(it -> copied.get(it.name()).size() + owned.get(it.name()).size())
            .thenComparing(it -> it.lack(shard))
            .thenComparing(DividedServer::name);
    servers.values().stream()
        .filter(it -> !owned.get(it.name()).contains(shard))
        .filter(it -> !copied.get(it.name()).contains(shard))
        .sorted(best)
        .limit(copies)
        .toList()
        .forEach(it -> copied.get(it.name()).add(shard));
  }
}
