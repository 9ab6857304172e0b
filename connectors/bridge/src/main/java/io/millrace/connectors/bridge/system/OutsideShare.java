package io.millrace.connectors.bridge.system;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a run is to have of one host.
 *
 * @param slots processors
 * @param memoryKb memory in kilobytes; 0 for what the outside system gives by itself
 * @param chunks pieces that the run has asked for by themselves and that lie here together; 1 where
 *     it has asked for a host
 * @param resources what else, by the resource's name here, in whole units and sizes in bytes
 */
public record OutsideShare(int slots, long memoryKb, int chunks, Map<String, Long> resources) {

  private static final long KB = 1024;

  public OutsideShare {
    resources = Map.copyOf(resources);
  }

  /** Processors and memory alone. */
  public OutsideShare(int slots, long memoryKb, int chunks) {
    this(slots, memoryKb, chunks, Map.of());
  }

  /**
   * What it asks for beside processors and memory, by what the outside system calls it, in the
   * order of those names. What has no name there any more is left out: {@link
   * OutsideAmounts#unnamed} says so.
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

  /** Its memory in megabytes, the last one whole; 0 for what the outside system gives. */
  public long memoryMb() {
    return memoryKb / KB + (memoryKb % KB == 0 ? 0 : 1);
  }

  /** Its memory for each processor, in kilobytes, the last one whole. */
  public long memoryKbOfSlot() {
    return (memoryKb + slots - 1) / slots;
  }
}
