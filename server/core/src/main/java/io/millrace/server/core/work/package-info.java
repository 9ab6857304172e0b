/**
 * What one subject has another one do behind its own decision, as continued work.
 *
 * <p>In: a decision after which a job may go on, or belongs elsewhere, or is to end. Out: a message
 * of the shard to itself, Continue, which the subject that does the work goes on with.
 *
 * <p>Invariant: nothing is decided here; whoever goes on looks at the state as it is by then.
 */
package io.millrace.server.core.work;
