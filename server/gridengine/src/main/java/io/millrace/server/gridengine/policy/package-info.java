/**
 * The gateway's half of {@code ./millrace policy load} and {@code show}.
 *
 * <p>Comes in: texts of a configuration that the client has read with its user's rights. Goes out:
 * a change of the scheduler object, or the texts that it has.
 *
 * <p>Invariant: a configuration that the scheduler would refuse is not sent to it.
 */
package io.millrace.server.gridengine.policy;
