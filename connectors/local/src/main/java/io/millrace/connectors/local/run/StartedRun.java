package io.millrace.connectors.local.run;

/**
 * A run's program is executing, or has executed.
 *
 * @param id which run
 * @param origin the word the caller gave in {@link RunTerms}
 * @param sessionId the session of the run's processes
 * @param startedMs milliseconds since 1970
 */
public record StartedRun(RunId id, String origin, long sessionId, long startedMs) {}
