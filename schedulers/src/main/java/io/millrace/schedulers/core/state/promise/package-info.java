/**
 * The future starts that are held for waiting jobs, by job and by time.
 *
 * <p>In: promises that a cycle makes, moves or drops, and facts by which they are lost. Out: what
 * begins and ends when, and what of the last search still holds, so that the next one need not look
 * at everything.
 *
 * <p>Invariant: nodes and limits know of each promise that is in the book, and of no other.
 */
package io.millrace.schedulers.core.state.promise;
