package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.Chunk;
import java.util.Map;
import java.util.TreeMap;

/**
 * Chunks of one kind. Arrays run in parallel.
 *
 * @param resources numbers of the resources of which the chunk needs more than 0 and of which a
 *     node can run short
 * @param unlimited the other resources that were asked for
 */
public record ChunkKind(
    int count,
    int[] resources,
    long[] amounts,
    int[] unlimited,
    long[] unlimitedAmounts,
    Map<String, String> matches) {

  private static final int[] NO_RESOURCES = {};
  private static final long[] NO_AMOUNTS = {};

  /** Chunks of amounts of consumable resources, without host or property. */
  static ChunkKind of(int count, int[] resources, long[] amounts) {
    return new ChunkKind(count, resources, amounts, NO_RESOURCES, NO_AMOUNTS, Map.of());
  }

  long amount(int resource) {
    for (int i = 0; i < resources.length; i++) {
      if (resources[i] == resource) {
        return amounts[i];
      }
    }
    return 0;
  }

  /** Amount of a resource per chunk, resources of which a node cannot run short included. */
  long any(int resource) {
    for (int i = 0; i < unlimited.length; i++) {
      if (unlimited[i] == resource) {
        return unlimitedAmounts[i];
      }
    }
    return amount(resource);
  }

  /**
   * True when a chunk asks for exactly this amount of the resource.
   *
   * @param limited whether nodes can run short of what it asks for
   */
  boolean asksFor(int resource, long amount, boolean limited) {
    int[] asked = limited ? resources : unlimited;
    for (int i = 0; i < asked.length; i++) {
      if (asked[i] == resource) {
        return (limited ? amounts : unlimitedAmounts)[i] == amount;
      }
    }
    return false;
  }

  /** True when nodes can run short of an amount of a resource. */
  static boolean limited(int resource, long amount, ResourceNames names) {
    return amount > 0 && !names.withoutLimit(resource);
  }

  /** Number of chunks of this kind that fit into the free amounts, at most {@code most}. */
  public int howMany(long[] free, int most) {
    long count = most;
    for (int i = 0; i < resources.length && count > 0; i++) {
      long there = ResourceNames.at(free, resources[i]);
      if (there < amounts[i]) {
        return 0;
      }
      if (count > 1 && !covers(there, amounts[i], count)) {
        count = there / amounts[i];
      }
    }
    return (int) count;
  }

  /**
   * Number of chunks that fit when the amounts are given for the kind's own resources only, in
   * their order.
   *
   * @param most at least 0
   */
  public int howManyOf(long[] there, int most) {
    long count = most;
    for (int i = 0; i < resources.length && count > 0; i++) {
      if (there[i] < amounts[i]) {
        return 0;
      }
      // Mostly all chunks fit, and a multiplication costs a tenth of a division.
      if (count > 1 && !covers(there[i], amounts[i], count)) {
        count = there[i] / amounts[i];
      }
    }
    return (int) count;
  }

  private static boolean covers(long there, long amount, long count) {
    return Math.multiplyHigh(amount, count) == 0 && amount * count >= 0 && amount * count <= there;
  }

  /** True when one chunk of this kind is within the given amounts. */
  public boolean fits(long[] free) {
    return howMany(free, 1) > 0;
  }

  /** Adds what this many chunks take to the amounts by resource number. */
  public void addTo(long[] sum, int chunks) {
    for (int i = 0; i < resources.length; i++) {
      sum[resources[i]] += amounts[i] * chunks;
    }
    for (int i = 0; i < unlimited.length; i++) {
      sum[unlimited[i]] += unlimitedAmounts[i] * chunks;
    }
  }

  static ChunkKind of(Chunk chunk, ResourceNames names) {
    TreeMap<String, Long> limited = new TreeMap<>();
    TreeMap<String, Long> others = new TreeMap<>();
    for (Map.Entry<String, Long> amount : chunk.getAmounts().entrySet()) {
      int number = names.number(amount.getKey());
      (limited(number, amount.getValue(), names) ? limited : others)
          .put(amount.getKey(), amount.getValue());
    }
    return new ChunkKind(
        chunk.getCount(),
        numbers(limited, names),
        amounts(limited, names),
        numbers(others, names),
        amounts(others, names),
        Map.copyOf(chunk.getMatches()));
  }

  private static int[] numbers(TreeMap<String, Long> amounts, ResourceNames names) {
    if (amounts.isEmpty()) {
      return NO_RESOURCES;
    }
    int[] numbers = new int[amounts.size()];
    int i = 0;
    for (String name : amounts.keySet()) {
      numbers[i++] = names.number(name);
    }
    return names.shared(numbers);
  }

  private static long[] amounts(TreeMap<String, Long> amounts, ResourceNames names) {
    if (amounts.isEmpty()) {
      return NO_AMOUNTS;
    }
    long[] values = new long[amounts.size()];
    int i = 0;
    for (long amount : amounts.values()) {
      values[i++] = amount;
    }
    return names.shared(values);
  }
}
