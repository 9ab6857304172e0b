package io.millrace.connectors.local.run;

/**
 * What a run has used: processor time over all its processes, and the peak of their summed resident
 * and virtual memory.
 */
public record RunUsage(long cputMs, long walltimeMs, long memKb, long vmemKb) {}
