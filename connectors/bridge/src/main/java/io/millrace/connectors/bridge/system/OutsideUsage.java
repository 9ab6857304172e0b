package io.millrace.connectors.bridge.system;

/**
 * What a job has used, as the accounting of an outside system says.
 *
 * @param cputMs processor time of all its processes
 * @param walltimeMs from its start to its end
 * @param memKb largest resident memory; 0 when nobody knows
 * @param vmemKb largest virtual memory; 0 when nobody knows
 */
public record OutsideUsage(long cputMs, long walltimeMs, long memKb, long vmemKb) {}
