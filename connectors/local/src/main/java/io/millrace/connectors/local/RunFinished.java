package io.millrace.connectors.local;

/** A run is over; nothing of it is left but its run directory. */
public record RunFinished(RunId id, String origin, RunOutcome outcome, Printed printed) {}
