package io.millrace.connectors.bridge.system;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A host of an outside system.
 *
 * @param name as the outside system calls it
 * @param usable whether it takes jobs
 * @param word its state in the outside system's own words
 * @param cpus processors; -1 when the system does not say
 * @param memoryBytes memory; -1 when the system does not say
 * @param fields all that the outside system said
 * @param resources what else it has, by the resource's name here, as far as the cluster's file
 *     names it and the outside system says it, 0 where it says that there is none; sizes in bytes
 */
public record OutsideHost(
    String name,
    boolean usable,
    String word,
    int cpus,
    long memoryBytes,
    Map<String, String> fields,
    Map<String, Long> resources) {

  /** A host of which nothing else is told. */
  public OutsideHost(
      String name,
      boolean usable,
      String word,
      int cpus,
      long memoryBytes,
      Map<String, String> fields) {
    this(name, usable, word, cpus, memoryBytes, fields, Map.of());
  }

  /**
   * The same with what else it has, where a host that tells its processors tells all of that: of
   * what it leaves out it has nothing.
   *
   * @param names of the resources that it could tell
   */
  public OutsideHost having(Map<String, Long> told, Set<String> names) {
    Map<String, Long> all = new TreeMap<>(told);
    if (cpus >= 0) {
      names.forEach(it -> all.putIfAbsent(it, 0L));
    }
    return with(all);
  }

  /** The same with what else it has. */
  public OutsideHost with(Map<String, Long> more) {
    return new OutsideHost(name, usable, word, cpus, memoryBytes, fields, Map.copyOf(more));
  }
}
