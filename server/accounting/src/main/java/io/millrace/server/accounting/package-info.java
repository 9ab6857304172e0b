/**
 * Accounting files as PBS writes them, one a day, from the ledger; its day logs, and mail.
 *
 * <p>In: facts of all shards; snapshots only where a ledger was cut. Out: lines {@code
 * time;type;job id;text} of the types Q (queued), S (started), E (ended), D (deletion asked for), R
 * (run over, the job waits again), A (ended by the server), z (suspended) and r (resumed).
 *
 * <p>Invariant: each fact is told once, whenever the process is killed: how far the ledger was read
 * and how long the files were then is written in one step; what stands behind that length after a
 * crash is cut off and written again from the same facts. What was not written here is never cut.
 */
package io.millrace.server.accounting;
