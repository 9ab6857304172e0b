/**
 * What dialects keep alike of the runs of a shard.
 *
 * <p>In: facts about runs. Out: {@code SuspendedRuns}, which says what to resume.
 *
 * <p>Invariant: a run that may be resumed is proposed once, and again only after a refusal.
 */
package io.millrace.schedulers.dialects.runs;
