/**
 * Asks the programs that say what a scheduler's policy has to know from outside.
 *
 * <p>In: scheduler objects of a shard, and what their programs say on this host. Out: commands to
 * the shard, when something of it is new.
 *
 * <p>Invariant: programs are waited for on a thread of their own only; neither the shard's thread
 * nor a cycle waits for one.
 */
package io.millrace.server.streams.input;
