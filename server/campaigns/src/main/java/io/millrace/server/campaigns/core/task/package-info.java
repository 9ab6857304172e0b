/**
 * What a task's program says of itself, without regard to the state.
 *
 * <p>In comes how an attempt ended, out goes what its program wants. Invariant: the same end always
 * means the same.
 */
package io.millrace.server.campaigns.core.task;
