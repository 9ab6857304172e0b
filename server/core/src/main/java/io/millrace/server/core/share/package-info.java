/**
 * Subject share: what entities of a scheduler's fair share have used.
 *
 * <p>In: NoteUsage with what runs have used so far, the ends of runs, ChangeUsage of an
 * administrator, the timer of the fading. Out: UsageCharged, UsageFaded, UsageSet and
 * UsagesForgotten.
 *
 * <p>Invariant: what a run has used is charged once. How much that was so far stands in its job's
 * record, and its end charges the rest.
 */
package io.millrace.server.core.share;
