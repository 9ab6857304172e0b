package io.millrace.connectors.local;

/**
 * What a run has used: processor time over all its processes, and the peak of their summed resident
 * and virtual memory.
 */
public record RunUsage(long cputMs, long walltimeMs, long memKb, long vmemKb) {
  static RunUsage of(SpoolFields fields) {
    return new RunUsage(
        fields.number("cput_ms"),
        fields.number("walltime_ms"),
        fields.number("mem_kb"),
        fields.number("vmem_kb"));
  }
}
