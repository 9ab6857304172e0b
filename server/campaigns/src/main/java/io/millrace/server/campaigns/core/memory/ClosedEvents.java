package io.millrace.server.campaigns.core.memory;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many events are remembered of each campaign after they were closed. Where there are too many
 * in all, the owner of the most has the first of his forgotten: nobody pushes out others'.
 */
public final class ClosedEvents {

  private static final class EventShare {
    final String owner;
    int count;

    EventShare(String owner) {
      this.owner = owner;
    }
  }

  private final TreeMap<Long, EventShare> shares = new TreeMap<>();
  private int all;

  /**
   * @param owner of the campaign; empty for the events that are of none
   */
  public void add(long campaign, String owner) {
    shares.computeIfAbsent(campaign, id -> new EventShare(owner)).count++;
    all++;
  }

  /** One that is forgotten. */
  public void remove(long campaign) {
    EventShare share = shares.get(campaign);
    share.count--;
    all--;
    if (share.count == 0) {
      shares.remove(campaign);
    }
  }

  public int count() {
    return all;
  }

  public int count(long campaign) {
    EventShare share = shares.get(campaign);
    return share == null ? 0 : share.count;
  }

  /** The largest campaign of the owner with the most; the first of several that are as large. */
  public long largest() {
    Map<String, Integer> owners = new HashMap<>();
    shares.values().forEach(it -> owners.merge(it.owner, it.count, Integer::sum));
    Comparator<Map.Entry<Long, EventShare>> byOwner =
        Comparator.comparing(it -> owners.get(it.getValue().owner));
    return shares.entrySet().stream()
        .max(
            byOwner
                .thenComparing(it -> it.getValue().owner)
                .thenComparing(it -> it.getValue().count)
                .thenComparing(Map.Entry::getKey, Comparator.reverseOrder()))
        .orElseThrow()
        .getKey();
  }
}
