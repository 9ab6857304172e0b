/**
 * What the bridge asks of an outside system, and what it hears from it, in words of no system.
 *
 * <p>In: submissions, questions and orders. Out: what the outside system has said, or that it has
 * said nothing and why.
 *
 * <p>Invariant: {@code Told.Nothing} is never an empty list. Whoever reads it has heard neither
 * that a job is there nor that it is not.
 */
package io.millrace.connectors.bridge.system;
