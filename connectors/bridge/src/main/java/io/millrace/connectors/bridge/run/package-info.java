/**
 * Runs in an outside system: each submitted once, and ended on evidence only.
 *
 * <p>In: orders, and what the outside system tells. Out: submissions, orders about jobs, and the
 * states of the runs.
 *
 * <p>Invariants: what is about to be submitted is on disk before the command is started; after an
 * unclear answer nothing is submitted again before the tag was looked for in queue and accounting,
 * both read beyond the moment; a run is over only by a record, a file of its wrapper, or when the
 * system answers, does not know it, and accounting was read for a while after that.
 */
package io.millrace.connectors.bridge.run;
