package io.millrace.connectors.bridge.system;

import java.util.Map;

/**
 * A host of an outside system.
 *
 * @param name as the outside system calls it
 * @param usable whether it takes jobs
 * @param word its state in the outside system's own words
 * @param cpus processors; -1 when the system does not say
 * @param memoryBytes memory; -1 when the system does not say
 * @param fields all that the outside system said
 */
public record OutsideHost(
    String name,
    boolean usable,
    String word,
    int cpus,
    long memoryBytes,
    Map<String, String> fields) {}
