package io.millrace.connectors.bridge.system;

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
}
