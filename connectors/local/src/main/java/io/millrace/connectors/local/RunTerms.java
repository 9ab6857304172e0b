package io.millrace.connectors.local;

/**
 * The terms of a run.
 *
 * @param walltimeS seconds after which the supervisor ends the run; 0 for no limit
 * @param killDelayS seconds between SIGTERM and SIGKILL
 * @param origin a word of the caller, kept in the spool and handed back with every report
 */
public record RunTerms(long walltimeS, long killDelayS, String origin) {}
