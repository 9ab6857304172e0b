package io.millrace.connectors.local.run;

/** A run is over; nothing of it is left but its run directory. */
public record FinishedRun(RunId id, String origin, RunOutcome outcome, PrintedOutput printed) {}
