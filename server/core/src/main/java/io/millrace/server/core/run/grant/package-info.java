/**
 * Subject run.grant: a proposal of an engine becomes a run.
 *
 * <p>In: RunJob. Out: RunGranted and the order StartRun for the host of the first chunk, or a
 * rejection with a reason.
 *
 * <p>Invariant: no node ever holds more than it has, and no job's place is broken, whatever an
 * engine proposes. place=exclhost is checked among the nodes of this shard.
 */
package io.millrace.server.core.run.grant;
