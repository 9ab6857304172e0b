package io.millrace.schedulers.dialects.origin2000.state;

/**
 * A host, as it answers.
 *
 * @param ncpus its processors
 * @param memory its bytes
 * @param load its load average
 * @param counters what its performance counters count, {@code user} or {@code global}
 */
public record OriginHostState(String name, long ncpus, long memory, double load, String counters) {}
