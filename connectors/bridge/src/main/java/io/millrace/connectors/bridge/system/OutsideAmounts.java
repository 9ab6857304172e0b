package io.millrace.connectors.bridge.system;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run is to have.
 *
 * @param hosts of each of its hosts, the one of its script first; one at least
 * @param wallSeconds limit of its wall time; empty for none of its own
 */
public record OutsideAmounts(List<OutsideShare> hosts, Optional<Long> wallSeconds) {

  public OutsideAmounts {
    hosts = List.copyOf(hosts);
  }

  /** Processors of all hosts together. */
  public int slots() {
    return hosts.stream().mapToInt(OutsideShare::slots).sum();
  }

  /** Pieces on all hosts together. */
  public int chunks() {
    return hosts.stream().mapToInt(OutsideShare::chunks).sum();
  }

  /** The share with the most memory for each processor. */
  public OutsideShare widest() {
    OutsideShare widest = hosts.get(0);
    for (OutsideShare each : hosts) {
      widest = each.memoryKbOfSlot() > widest.memoryKbOfSlot() ? each : widest;
    }
    return widest;
  }

  /** Whether it has several hosts. */
  public boolean isSpread() {
    return hosts.size() > 1;
  }

  /** Whether each host has as many processors as any other. */
  public boolean isEven() {
    return hosts.stream().mapToInt(OutsideShare::slots).distinct().count() == 1;
  }

  /** Processors of each piece; empty when pieces differ. */
  public Optional<Integer> slotsOfChunk() {
    OutsideShare first = hosts.get(0);
    int slots = first.slots() / first.chunks();
    return hosts.stream().allMatch(it -> it.slots() == slots * it.chunks())
        ? Optional.of(slots)
        : Optional.empty();
  }

  /** Processors on each host, for a line to somebody: {@code 2 + 1}. */
  public String words() {
    return String.join(" + ", hosts.stream().map(it -> Integer.toString(it.slots())).toList());
  }

  /** Whether each host is to give as much of other resources as any other. */
  public boolean isEvenInResources(Map<String, String> table) {
    return hosts.stream().map(it -> it.asked(table)).distinct().count() == 1;
  }

  /** A key that the cluster's file lacks for what it asks for; empty for none. */
  public Optional<String> unnamed(Map<String, String> table) {
    return hosts.stream()
        .flatMap(it -> it.resources().entrySet().stream())
        .filter(it -> it.getValue() > 0 && !table.containsKey(it.getKey()))
        .map(Map.Entry::getKey)
        .sorted()
        .map(it -> "the cluster's file has no key resource." + it)
        .findFirst();
  }
}
