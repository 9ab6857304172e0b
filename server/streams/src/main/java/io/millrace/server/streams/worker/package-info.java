/**
 * Threads for work that may not hold up a shard.
 *
 * <p>In: work that waits for files or programs. Out: nothing; whoever gives the work looks for what
 * has become of it.
 *
 * <p>Invariant: what waits for a thread is bounded, and a thread that has nothing to do ends.
 */
package io.millrace.server.streams.worker;
