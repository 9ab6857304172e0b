package io.millrace.connectors.bridge.system;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a run is to have of its host.
 *
 * @param slots processors
 * @param memoryKb memory in kilobytes; 0 for what the outside system gives by itself
 * @param wallSeconds limit of its wall time; empty for none of its own
 * @param resources what else, by the resource's name here, in whole units and sizes in bytes
 */
public record OutsideAmounts(
    int slots, long memoryKb, Optional<Long> wallSeconds, Map<String, Long> resources) {

  private static final long KB = 1024;

  public OutsideAmounts {
    resources = Map.copyOf(resources);
  }

  /** Amounts of processors and memory alone. */
  public OutsideAmounts(int slots, long memoryKb, Optional<Long> wallSeconds) {
    this(slots, memoryKb, wallSeconds, Map.of());
  }

  /** Its memory in megabytes, the last one whole; 0 for what the outside system gives. */
  public long memoryMb() {
    return memoryKb / KB + (memoryKb % KB == 0 ? 0 : 1);
  }

  /**
   * What it asks for beside processors and memory, by what the outside system calls it, in the
   * order of those names. What has no name there any more is left out: {@link #unnamed} says so.
   *
   * @param table what the outside system calls the resources here
   */
  public Map<String, Long> asked(Map<String, String> table) {
    Map<String, Long> asked = new TreeMap<>();
    resources.forEach(
        (name, amount) -> {
          if (amount > 0 && table.containsKey(name)) {
            asked.put(table.get(name), amount);
          }
        });
    return asked;
  }

  /** A key that the cluster's file lacks for what it asks for; empty for none. */
  public Optional<String> unnamed(Map<String, String> table) {
    return resources.entrySet().stream()
        .filter(it -> it.getValue() > 0 && !table.containsKey(it.getKey()))
        .map(Map.Entry::getKey)
        .sorted()
        .map(it -> "the cluster's file has no key resource." + it)
        .findFirst();
  }
}
