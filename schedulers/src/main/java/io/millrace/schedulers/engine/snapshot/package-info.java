/**
 * How an engine takes over what a snapshot of its shard holds. In: the snapshot's records, by the
 * thread that reads them. Out: each of them followed, in order, once reading is over.
 */
package io.millrace.schedulers.engine.snapshot;
