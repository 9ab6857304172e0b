/**
 * A PBS scheduler's files at work in a live scheduler.
 *
 * <p>In: facts about objects and about what entities have used. Out: the {@link
 * io.millrace.schedulers.core.policy.Policy} of the scheduler's state, and its tree of shares.
 *
 * <p>Invariant: policy and tree follow from the objects and from the records of usage alone, so
 * that a scheduler that is built anew has the same.
 */
package io.millrace.schedulers.dialects.schedconfig.live;
