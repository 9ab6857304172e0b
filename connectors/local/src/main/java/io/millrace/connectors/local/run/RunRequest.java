package io.millrace.connectors.local.run;

/** Everything that is needed to start a run. */
public record RunRequest(
    RunId id,
    RunOwner owner,
    RunProgram program,
    RunContext context,
    RunFiles files,
    RunTerms terms) {}
