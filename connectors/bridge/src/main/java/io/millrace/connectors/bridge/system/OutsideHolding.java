package io.millrace.connectors.bridge.system;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a job of an outside system has of a host.
 *
 * @param host without its domain
 * @param amounts by the resource's name here: ncpus, mem in bytes, and what the cluster's file
 *     names
 */
public record OutsideHolding(String host, Map<String, Long> amounts) {

  /** Processors. */
  public static final String NCPUS = "ncpus";

  /** Memory. */
  public static final String MEM = "mem";

  public OutsideHolding {
    amounts = Map.copyOf(amounts);
  }

  /**
   * What a job has of a host; amounts of which nothing is had are left out.
   *
   * @param host as the outside system calls it
   */
  public static OutsideHolding of(String host, Map<String, Long> amounts) {
    Map<String, Long> had = new TreeMap<>(amounts);
    had.values().removeIf(it -> it <= 0);
    return new OutsideHolding(OutsidePlaces.name(host), had);
  }

  /** Processors in equal parts of the hosts of a place, of which nothing more is known. */
  public static List<OutsideHolding> parts(String place, long slots) {
    List<String> hosts = OutsidePlaces.hosts(place);
    long part = hosts.isEmpty() ? 0 : (slots + hosts.size() - 1) / hosts.size();
    return hosts.stream().map(it -> of(it, Map.of(NCPUS, part))).toList();
  }

  /** Processors by host. */
  public static Map<String, Long> ncpus(List<OutsideHolding> holdings) {
    Map<String, Long> sums = new TreeMap<>();
    holdings.forEach(
        it -> sums.merge(it.host(), it.amounts().getOrDefault(NCPUS, 0L), OutsideHolding::sum));
    return sums;
  }

  /** Without leaving what a number can have. */
  public static long sum(long one, long more) {
    return one > Long.MAX_VALUE - more ? Long.MAX_VALUE : one + more;
  }
}
