/**
 * Subject snapshot: the state of a shard as facts in its own ledger, so that the history before can
 * be cut off.
 *
 * <p>In: Continue with this work. Out: SnapshotBegun, SnapshotChunk for each few hundred records,
 * SnapshotCompleted. The records are those of the moment before SnapshotBegun, while the shard goes
 * on between the chunks.
 *
 * <p>Invariant: the records of the chunks and the facts from SnapshotBegun on give the live state.
 */
package io.millrace.server.core.snapshot;
