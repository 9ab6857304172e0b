/**
 * Follows the public tables of the shards.
 *
 * <p>In: a compacted topic. Out: its present records.
 *
 * <p>Invariant: whoever asks can tell whether all was read that was there at the beginning.
 */
package io.millrace.connectors.forward.table;
