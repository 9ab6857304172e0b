package io.millrace.schedulers.core;

import io.millrace.reservations.resources.NodeAmounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers for the names of resources, so that amounts are arrays. Grows by the resources that nodes
 * and requests name, which the shard has checked against the cluster's table.
 */
final class ResourceNames {

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> names = new ArrayList<>();

  int size() {
    return names.size();
  }

  String name(int number) {
    return names.get(number);
  }

  int number(String name) {
    return numbers.computeIfAbsent(
        name,
        it -> {
          names.add(it);
          return names.size() - 1;
        });
  }

  /** Amounts by number; as long as the highest number needs. */
  long[] array(Map<String, Long> amounts) {
    long[] array = new long[names.size()];
    for (Map.Entry<String, Long> amount : amounts.entrySet()) {
      int number = number(amount.getKey());
      if (number >= array.length) {
        array = Arrays.copyOf(array, number + 1);
      }
      array[number] = amount.getValue();
    }
    return array;
  }

  /** True when a node is never short of it. */
  boolean withoutLimit(int number) {
    return NodeAmounts.withoutLimit(names.get(number));
  }

  static long at(long[] amounts, int number) {
    return number < amounts.length ? amounts[number] : 0;
  }
}
