/**
 * Subject run.grant: a proposal of an engine becomes a run.
 *
 * <p>In: RunJob. Out: RunGranted and the order StartRun for the host of the first chunk, or a
 * rejection with a reason.
 *
 * <p>Invariant: no node ever holds more than it has, whatever an engine proposes.
 */
package io.millrace.server.core.run.grant;
