/**
 * What the owner of a shard tells it for fair share.
 *
 * <p>In: the shard's running jobs, and what their hosts say that they have used. Out: commands with
 * it, in bounded numbers.
 *
 * <p>Invariant: nothing is decided here; a command that is lost is followed by another one, or by
 * the end of the run.
 */
package io.millrace.server.streams.share;
