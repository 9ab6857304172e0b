package io.millrace.schedulers.core.model;

import io.millrace.schemas.pbs.resources.NodeAmounts;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers for the names of resources, so that amounts are arrays. Grows by the resources that nodes
 * and requests name, which the shard has checked against the cluster's table.
 */
public final class ResourceNames {

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private Set<String> unchecked = Set.of();
  private Set<String> uncompared = Set.of();

  private static final int SHARED_MAX = 4096;

  /**
   * Arrays of resource numbers and amounts that requests use. Equal ones are kept once, since many
   * classes ask for the same.
   */
  private final Map<IntBuffer, int[]> sets = new HashMap<>();

  private final Map<LongBuffer, long[]> amounts = new HashMap<>();

  public int size() {
    return names.size();
  }

  public String name(int number) {
    return names.get(number);
  }

  public int number(String name) {
    return numbers.computeIfAbsent(
        name,
        it -> {
          names.add(it);
          return names.size() - 1;
        });
  }

  /** The kept array with these resource numbers; not to be changed. */
  int[] shared(int[] numbersOf) {
    if (sets.size() > SHARED_MAX) {
      sets.clear();
    }
    return sets.computeIfAbsent(IntBuffer.wrap(numbersOf), it -> numbersOf);
  }

  /** The kept array with these amounts; not to be changed. */
  long[] shared(long[] amountsOf) {
    if (amounts.size() > SHARED_MAX) {
      amounts.clear();
    }
    return amounts.computeIfAbsent(LongBuffer.wrap(amountsOf), it -> amountsOf);
  }

  /** Amounts by number; as long as the highest number needs. */
  public long[] array(Map<String, Long> named) {
    long[] array = new long[names.size()];
    for (Map.Entry<String, Long> amount : named.entrySet()) {
      int number = number(amount.getKey());
      if (number >= array.length) {
        array = Arrays.copyOf(array, number + 1);
      }
      array[number] = amount.getValue();
    }
    return array;
  }

  /** The same; equal arrays are kept once. The array is not to be changed. */
  public long[] kept(Map<String, Long> named) {
    return shared(array(named));
  }

  /** True when nodes have the resource without limit, so that none can run short of it. */
  public boolean withoutLimit(int number) {
    String name = names.get(number);
    return NodeAmounts.withoutLimit(name) || unchecked.contains(name) || uncompared.contains(name);
  }

  /** Sets further resources of which no node can run short; holds for requests read from now on. */
  public void unchecked(Set<String> resources) {
    unchecked = Set.copyOf(resources);
  }

  /**
   * Sets resources of which neither nodes nor queues nor the server can run short; holds for
   * requests read from now on.
   *
   * @return true when they are others than before
   */
  public boolean uncompared(Set<String> resources) {
    boolean other = !resources.equals(uncompared);
    uncompared = Set.copyOf(resources);
    return other;
  }

  /** The resources of which nobody can run short, as they were set last. */
  public Set<String> uncompared() {
    return uncompared;
  }

  /** False for one of the resources that are not compared with what there is. */
  public boolean compares(String resource) {
    return !uncompared.contains(resource);
  }

  public static long at(long[] amounts, int number) {
    return number < amounts.length ? amounts[number] : 0;
  }
}
